import { limits } from '../../../contract/limits.ts'
import { OriginFailure, type Target } from '../../connectors/connector.ts'
import type { OpenSource, SourceReference, Sources, Targets } from '../../connectors/registry.ts'
import type { TableReference } from '../../connectors/table-provider.ts'
import { type RunContext, RunInterruption } from '../../engine/types.ts'
import type { StoredSnapshot } from '../../snapshots/snapshot.ts'
import { type CredentialProvider, sourceContext } from '../source-context.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import type { Definition } from './definition.ts'
import { type Binding, columnsWanted } from './ownership/tab-identity.ts'

/** Source and target of a run, opened with the accounts that its task may use. */
export type Endpoints = {
  source: OpenSource
  target: Target
  /** Email addresses of all accounts that made requests, separated by commas. */
  accountsUsed: () => string
}

type Beginning = {
  binding: Binding
  /** Snapshot of the last successful run; null: none. */
  last: StoredSnapshot | null
  keeper: CheckpointKeeper
}

/**
 * Opens source and target, each with an account of the task that has access and quota. Throws OriginFailure; if no account has
 * access, the failure of the first account.
 */
export async function openEndpoints(
  { google, sources, targets }: { google: CredentialProvider; sources: Sources; targets: Targets },
  context: RunContext,
  definition: Definition,
  { binding, last, keeper }: Beginning,
): Promise<Endpoints> {
  const { made, value } = keeper
  const use = sourceContext(google, context, { ...definition, max_rows: limits.start_row_max, made })
  const former_cells = last && last.row_count * last.header.length
  const opening = sources.open(sourceOf(definition), {
    ...use,
    ...(value.snapshot_id === null && { at_once: { former_cells } }),
  })
  const target = targets.open(targetOf(definition, binding), {
    google: use.google,
    signal: use.signal,
    beforeRequest: use.beforeRequest,
    run_id: context.run.id,
    commit_signal: unlessStopped(context.signal),
    chunk_size: definition.chunk_size,
    filled: binding.owned_rows > 0,
    columns: columnsWanted(binding),
    former_cells,
    checkpoint: value.target ?? null,
    save: (target) => keeper.save({ target }),
    transaction: context.transaction,
    log: (message) => context.log('INFO', message),
    progress: context.progress,
  })
  // Wait for both, so that neither keeps running after the other has failed the run.
  await Promise.allSettled([opening, target])
  return { source: await opening, target: await target, accountsUsed: use.accountsUsed }
}

function sourceOf(definition: Definition): SourceReference {
  const { source_type, source_task_id, start_row } = definition
  if (source_type === 'internal') {
    if (source_task_id === null)
      throw new OriginFailure('not_found', 'The task has no compiler configuration to copy from.')
    return { provider: 'internal', task_id: source_task_id }
  }
  return {
    provider: definition.source_provider,
    spreadsheet_id: definition.source_ss_id,
    place: definition.source_place,
    sheet_name: definition.source_sheet_name,
    start_row,
  }
}

/** Reference to the target. Takes its tab id from the binding, which is newer than the run's definition. */
export const targetOf = (
  { target_provider, target_ss_id, target_sheet_name, start_row }: Definition,
  { target_place }: Pick<Binding, 'target_place'>,
): TableReference => ({
  provider: target_provider,
  spreadsheet_id: target_ss_id,
  place: target_place,
  sheet_name: target_sheet_name,
  start_row,
})

/** Aborts with `signal`, except on a user's stop or the task's time limit: a commit in flight may complete. */
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
