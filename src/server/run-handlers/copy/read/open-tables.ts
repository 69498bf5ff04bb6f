import { limits } from '../../../../contract/limits.ts'
import { OriginFailure, type Target } from '../../../connectors/connector.ts'
import type { OpenSource, SourceReference } from '../../../connectors/registry.ts'
import type { TableReference } from '../../../connectors/table-provider.ts'
import { RunInterruption } from '../../../engine/types.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import { sourceContext } from '../../source-context.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Definition } from '../definition.ts'
import type { Binding } from '../ownership/binding.ts'
import { type CopySource, openConsolidated } from './consolidated-source.ts'

/** What a copy needs of its source besides the rows. */
export type SourceInfo = Pick<CopySource, 'title' | 'warnings' | 'identity' | 'further'>

/** Source and target, opened with the accounts that the task may use. */
export type TablePair<S extends SourceInfo = CopySource> = {
  source: S
  target: Target
  /** Email addresses of all accounts that made requests, separated by commas. */
  accountsUsed: () => string
}

/** How source and target of a run are opened; neither sends a request before. */
type TableOpener = {
  openSource: () => Promise<CopySource>
  openTarget: () => Promise<Target>
  accountsUsed: () => string
}

/** `last`: snapshot of the last successful run. */
type Known = { binding: Binding; last: StoredSnapshot | null }

/**
 * Opens source and target. Each request uses an account of the task that has quota and was not refused for that spreadsheet, so source
 * and target may need different accounts. Throws OriginFailure; if no account has access to one of them, the first account's failure.
 */
export async function openTables(attempt: CopyAttempt, known: Known): Promise<TablePair> {
  const { openSource, openTarget, accountsUsed } = tableOpener(attempt, known)
  const opening = openSource()
  const target = openTarget()
  // Wait for both, so that neither keeps running after the other has failed the run.
  await Promise.allSettled([opening, target])
  return { source: await opening, target: await target, accountsUsed }
}

/** Opens the source alone. Throws OriginFailure. */
export async function openSource(
  attempt: CopyAttempt,
  last: StoredSnapshot | null,
): Promise<Pick<TablePair, 'source' | 'accountsUsed'>> {
  const { target_place } = attempt.definition
  const binding = { target_place, owned_columns: 0, owned_rows: 0, owned_start_row: null, intended: [] }
  const opener = tableOpener(attempt, { binding, last })
  return { source: await opener.openSource(), accountsUsed: opener.accountsUsed }
}

/** Opens the target of a run whose rows are those of a plan. Throws OriginFailure. */
export async function openPlanned(attempt: CopyAttempt, known: Known): Promise<TablePair<SourceInfo>> {
  const { openTarget, accountsUsed } = tableOpener(attempt, known)
  const target = await openTarget()
  return { source: { title: 'the plan', warnings: [], identity: null, further: [] }, target, accountsUsed }
}

function tableOpener(
  { settings, context, definition, keeper }: CopyAttempt,
  { binding, last }: Known,
): TableOpener {
  const { google, sources, targets } = settings
  const { made, value } = keeper
  const use = sourceContext(google, context, { ...definition, max_rows: limits.start_row_max, made })
  const former_cells = last && last.row_count * last.header.length
  return {
    accountsUsed: use.accountsUsed,
    openSource: () =>
      openSources(definition, (reference) =>
        sources.open(reference, {
          ...use,
          ...(value.snapshot_id === null && { at_once: { former_cells } }),
        }),
      ),
    openTarget: () =>
      targets.open(targetOf(definition, binding), {
        google: use.google,
        signal: use.signal,
        beforeRequest: use.beforeRequest,
        run_id: context.run.id,
        user_id: use.user_id,
        commit_signal: unlessStopped(context.signal),
        chunk_size: definition.chunk_size,
        filled: binding.owned_rows > 0,
        former_cells,
        checkpoint: value.target ?? null,
        save: (target) => keeper.save({ target }),
        transaction: context.transaction,
        log: (message) => context.log('INFO', message),
        progress: context.progress,
      }),
  }
}

type OneSource = Pick<
  Definition,
  | 'source_type'
  | 'source_task_id'
  | 'source_provider'
  | 'source_ss_id'
  | 'source_place'
  | 'source_sheet_name'
  | 'start_row'
> &
  Partial<Pick<Definition, 'source_csv_delimiter' | 'source_csv_encoding' | 'source_csv_quote'>>

/** Opens the source of a task, or its sources as one. Throws OriginFailure. */
export const openSources = (
  definition: OneSource & Pick<Definition, 'further_sources' | 'columns'>,
  open: (reference: SourceReference) => Promise<OpenSource>,
): Promise<CopySource> =>
  openConsolidated(
    [definition, ...definition.further_sources].map(
      (source) => async () =>
        open(sourceOf({ ...csvOf(definition), ...source, start_row: definition.start_row })),
    ),
    { keepsAll: definition.columns === null },
  )

/** The settings of a task that say how its CSV files are read. */
const csvOf = ({ source_csv_delimiter, source_csv_encoding, source_csv_quote }: OneSource) => ({
  source_csv_delimiter,
  source_csv_encoding,
  source_csv_quote,
})

/** Reference to the source. Throws OriginFailure if there is none. */
function sourceOf(definition: OneSource): SourceReference {
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
    read_as: {
      delimiter: definition.source_csv_delimiter ?? 'auto',
      encoding: definition.source_csv_encoding ?? 'auto',
      quote: definition.source_csv_quote ?? 'auto',
    },
  }
}

/** Reference to the target. Takes its tab id from the binding, which is newer than the run's definition. */
export const targetOf = (
  {
    target_provider,
    target_ss_id,
    target_sheet_name,
    start_row,
    target_csv_delimiter,
    target_csv_encoding,
  }: Definition,
  { target_place }: Pick<Binding, 'target_place'>,
): TableReference => ({
  provider: target_provider,
  spreadsheet_id: target_ss_id,
  place: target_place,
  sheet_name: target_sheet_name,
  start_row,
  csv: {
    delimiter: target_csv_delimiter,
    byte_order_mark: target_csv_encoding === null ? null : target_csv_encoding === 'utf-8-bom',
  },
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
