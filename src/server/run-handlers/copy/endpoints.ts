import { limits } from '../../../contract/limits.ts'
import { OriginFailure } from '../../connectors/connector.ts'
import type { Google } from '../../connectors/google-sheets/google.ts'
import type { GoogleSession } from '../../connectors/google-sheets/session.ts'
import { type OpenTarget, openTarget } from '../../connectors/google-sheets/target.ts'
import type { OpenSource, SourceReference, Sources } from '../../connectors/registry.ts'
import { type RunContext, RunInterruption } from '../../engine/types.ts'
import { type Requests, sourceUse } from '../source-use.ts'
import type { Binding } from './binding.ts'
import type { Definition } from './definition.ts'
import { installationId } from './installation.ts'

/** Cells of a table that is read in the requests that look for it: some 8 MB of changes. */
export const SMALL_CELLS = 150_000

/** Source and target of a run, opened with the accounts that its task may use. */
export type Endpoints = {
  session: GoogleSession
  source: OpenSource
  target: OpenTarget
}

type Beginning = {
  new_sheet_id: number
  made: Requests
  binding: Binding
  /** Whether the rows are wanted with the opening; of the target with one column beside those that are owned, or all. */
  wants: { source: boolean; target: { columns: number } | null }
}

/**
 * Opens source and target with whichever of the task's accounts have room and may. Throws OriginFailure, for a
 * permission that all accounts lack that of the first.
 */
export async function openEndpoints(
  { google, sources }: { google: Google; sources: Sources },
  context: RunContext,
  definition: Definition,
  { new_sheet_id, made, binding, wants }: Beginning,
): Promise<Endpoints> {
  const use = sourceUse(google, context, { ...definition, max_rows: limits.start_row_max, made })
  const session = await use.google()
  const { start_row, chunk_size } = definition
  const owner = { installation: await installationId(context.db), run_id: context.run.id }
  const opening = sources.open(sourceOf(definition, wants.source), use)
  const target = openTarget(session, {
    spreadsheet_id: definition.target_ss_id,
    sheet_id: binding.target_sheet_id,
    sheet_name: definition.target_sheet_name,
    start_row,
    chunk_size,
    new_sheet_id,
    filled: binding.owned_rows > 0,
    owner,
    commit_signal: unlessStopped(context.signal),
    at_once: wants.target,
  })
  // Neither goes on behind the back of a run that the other has ended.
  await Promise.allSettled([opening, target])
  return { session, source: await opening, target: await target }
}

function sourceOf(definition: Definition, at_once: boolean): SourceReference {
  const { source_type, source_task_id, start_row } = definition
  if (source_type === 'internal') {
    if (source_task_id === null)
      throw new OriginFailure('not_found', 'The task has no compiler configuration to copy from.')
    return { provider: 'internal', task_id: source_task_id }
  }
  return {
    provider: 'google-sheets',
    spreadsheet_id: definition.source_ss_id,
    sheet_id: definition.source_sheet_id,
    sheet_name: definition.source_sheet_name,
    start_row,
    at_once,
  }
}

/** Aborted like `signal`, but not by a person's stop or the task's time limit: a commit that is on its way is let through. */
function unlessStopped(signal: AbortSignal): AbortSignal {
  const controller = new AbortController()
  const pass = () => {
    const { reason } = signal
    const lets = reason instanceof RunInterruption && (reason.kind === 'stop' || reason.kind === 'timeout')
    if (!lets) controller.abort(reason)
  }
  if (signal.aborted) pass()
  else signal.addEventListener('abort', pass, { once: true })
  return controller.signal
}
