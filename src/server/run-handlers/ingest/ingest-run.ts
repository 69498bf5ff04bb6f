import type { Pool } from 'pg'
import type { ColumnChange } from '../../../contract/remembered-columns/calls.ts'
import { columnMessages } from '../../../contract/remembered-columns/client-messages.ts'
import type { IngestReceipt } from '../../../contract/runs/receipts.ts'
import type { Google } from '../../connectors/google-sheets/google.ts'
import type { OpenSource, SourceReference, Sources } from '../../connectors/registry.ts'
import { type RunContext, RunFailure, type RunResult } from '../../engine/types.ts'
import { notify } from '../../platform/notify.ts'
import { columnChanges, needApproval } from '../../snapshots/column-changes.ts'
import { columnNames } from '../../snapshots/column-names.ts'
import { sampleOf } from '../../snapshots/column-sample.ts'
import { dropSnapshot, type StoredSnapshot } from '../../snapshots/snapshot.ts'
import { cellsOf } from '../cell-notes.ts'
import { cellCount, count, formatMessages, tableSize } from '../messages.ts'
import { sourceContext } from '../source-context.ts'
import { readColumnNames, renameColumns } from './column-names.ts'
import { type CurrentRows, readCurrentRows, saveCurrent, saveTab, saveWaiting } from './current-rows.ts'
import type { Definition } from './definition.ts'
import { changedColumns, holdReasons, type Reason } from './guards.ts'
import { type Ingested, type IngestedRows, ingestRows } from './ingest-rows.ts'
import { formatOutcome, type Outcome } from './messages.ts'

export type IngestSettings = {
  google: Google
  sources: Sources
  pool: Pool
  /** The page where a user renews access. */
  reconnect_url: string
}

/** Runs a source task. Throws RunFailure, OriginFailure or the reason of the signal. */
export async function ingest(
  { google, sources, pool }: IngestSettings,
  context: RunContext,
  definition: Definition,
): Promise<RunResult> {
  const { origin: reference, ...limits } = definition
  if (!reference)
    throw new RunFailure('The task does not say where its rows come from. Edit it.', { retryable: false })
  const access = sourceContext(google, context, limits)
  const source = await sources.open(reference, access)
  for (const message of source.warnings) await context.warn({ kind: 'tab', subject: message, message })
  const as = access.accountsUsed()
  await context.log('INFO', `Reading ${source.title}${as && ` as ${as}`}.`)

  const { task_id, id: run_id } = context.run
  const origin = JSON.stringify([reference, source.version])
  const current = await readCurrentRows(context.db, task_id, origin)
  const { chunk_size, max_rows, min_rows_percent } = limits
  const { validator } = current
  const rows_above = rowsAbove(reference)
  const column_names = await readColumnNames(context.db, task_id)
  const ingested = await ingestRows({
    context,
    pool,
    source,
    origin,
    chunk_size,
    max_rows,
    validator,
    rows_above,
    is_edited: source.identity !== null,
    column_names,
  })
  const { rows, reading } = ingested
  await logReadSummary(context, source, ingested, rows_above)
  const former = current.snapshot
  const finish = (outcome: Outcome, kept: Rows, commit: NonNullable<RunResult['commit']>): RunResult => {
    const receipt = receiptOf(ingested, kept, outcome, access.accountsUsed())
    return {
      message: formatOutcome(outcome, receipt, former?.row_count ?? null),
      receipt,
      commit: async (trx) => {
        await commit(trx)
        if (source.identity && 'spreadsheet_id' in reference)
          await saveTab(trx, task_id, reference, source.identity)
        // The end of a run announces its state only, not its rows.
        await notify(trx, { kind: 'tasks', task_ids: [task_id] })
      },
    }
  }
  const former_id = former?.id ?? null
  // An unchanged origin need not repeat its validator.
  const value = reading.validator ?? (rows === null ? current.validator : null)
  const left = value === null ? null : { origin, value }
  if (former && (rows === null || rows.hash === former.hash)) {
    if (rows) await context.transaction((trx) => dropSnapshot(trx, rows.snapshot_id))
    return finish('unchanged', former, (trx) =>
      saveCurrent(trx, { task_id, former_id, snapshot_id: null, validator: left }),
    )
  }
  if (!rows) throw new Error(`${source.title} has nothing new since rows that are gone.`)
  const { title } = source
  // A column that was given another name after the current rows were read has that name in them, too.
  const compared = former && { ...former, header: renameColumns(former.header, column_names).header }
  const changes =
    compared && rows.row_count > 0
      ? columnChanges(
          await sampleOf(context.db, compared),
          await sampleOf(context.db, { ...rows, id: rows.snapshot_id }),
        )
      : []
  await warnOfNewColumns(context, { title, header: rows.header }, changes)
  const reasons = [
    ...holdReasons(
      { ...rows, title, total: reading.total, incompleteReasons: reading.incompleteReasons ?? [] },
      compared,
      min_rows_percent,
    ),
    ...changedColumns(title, changes),
  ]
  if (reasons.length === 0)
    return finish('new', rows, (trx) =>
      saveCurrent(trx, { task_id, former_id, snapshot_id: rows.snapshot_id, validator: left }),
    )
  const snapshot_id = await hold(context, reasons, rows, current)
  return finish('needs_approval', rows, (trx) =>
    saveWaiting(trx, {
      ...{ task_id, former_id, snapshot_id, run_id },
      column_changes: needApproval(changes) ? changes : null,
    }),
  )
}

/** New columns that a warning names. */
const MAX_NAMED = 5

/** Warns of columns that the current rows do not have; compiles and copies may need them. */
async function warnOfNewColumns(
  context: RunContext,
  { title, header }: Pick<Rows, 'header'> & { title: string },
  changes: readonly ColumnChange[],
): Promise<void> {
  const isNamed = (position: number) => String(header[position - 1] ?? '').trim() !== ''
  const names = changes.flatMap(({ kind, now }) =>
    kind === 'new' && now && isNamed(now.position) ? [now.name] : [],
  )
  if (names.length === 0) return
  const message = columnMessages.added(
    title,
    names.slice(0, MAX_NAMED),
    Math.max(0, names.length - MAX_NAMED),
  )
  await context.warn({ kind: 'new-columns', subject: names.join('\n'), message })
}

/** Row number of a sheet's header; other origins count rows without the header. */
const rowsAbove = (origin: SourceReference) => ('start_row' in origin ? origin.start_row : 0)

type Rows = Pick<StoredSnapshot, 'header' | 'row_count' | 'hash'>

/** Logs what was read, with warnings. Throws RunFailure (retryable) if a sheet was still computing cells. */
async function logReadSummary(
  context: RunContext,
  { title, identity }: OpenSource,
  { rows, reading }: Ingested,
  rows_above: number,
): Promise<void> {
  for (const message of reading.remarks ?? []) await context.log('INFO', `${message}.`)
  for (const message of reading.warnings) await context.warn({ kind: 'values', subject: message, message })
  if (!rows) return
  const { notes, header, row_count, formats } = rows
  for (const { column, read_as } of rows.renamed)
    await context.log('INFO', columnMessages.read_as(column, read_as))
  const { errors, replaced, loading } = notes
  await context.log('INFO', `${title} has ${tableSize(row_count, header.length)}.`)
  // In other origins, “Loading…” is an ordinary value.
  if (identity && loading.count > 0)
    throw new RunFailure(`${title} has ${count(loading.count, 'cell')} still loading.`, { retryable: true })
  const names = columnNames(header.map((cell) => String(cell ?? '')))
  const address = (row: number, column: number) =>
    `${names[column]} in row ${(row + rows_above).toLocaleString('en')}`
  if (formats.sample_rows !== null) await context.log('INFO', formatMessages.sampled(formats.sample_rows))
  const mixedOf = (is_kept: boolean) =>
    formats.columns.flatMap(({ mixed, runs }, column) =>
      mixed && (runs !== null) === is_kept ? (names[column] ?? []) : [],
    )
  const [kept, lost] = [mixedOf(true), mixedOf(false)]
  if (kept.length > 0) await context.log('INFO', formatMessages.kept(kept))
  if (lost.length > 0) {
    const message = formatMessages.too_many(lost)
    await context.warn({ kind: 'mixed-formats', subject: message, message })
  }
  if (row_count === 0)
    await context.warn({ kind: 'no-rows', subject: title, message: `${title} has no rows.` })
  if (errors.count > 0) {
    const message = `${cellCount(errors, address)} with a spreadsheet error such as #N/A, kept as text.`
    await context.warn({ kind: 'error-cells', subject: cellsOf(errors), message })
  }
  if (replaced.count > 0) {
    const message = `${cellCount(replaced, address)} with characters that cannot be stored, replaced by �.`
    await context.warn({ kind: 'replaced-characters', subject: cellsOf(replaced), message })
  }
}

/** Logs why the rows wait for approval, and returns their snapshot: the one that waits already if it has the same rows. */
async function hold(
  context: RunContext,
  reasons: readonly Reason[],
  { snapshot_id, hash }: IngestedRows,
  { waiting }: CurrentRows,
): Promise<number> {
  // The hash is part of the subject: acknowledging the warning does not cover other rows.
  for (const { guard, column, message } of reasons) {
    const subject = `${guard} ${hash}${column === undefined ? '' : ` ${column}`}`
    await context.warn({ kind: 'held_back', subject, message })
  }
  if (waiting?.hash !== hash) return snapshot_id
  await context.transaction((trx) => dropSnapshot(trx, snapshot_id))
  return waiting.id
}

function receiptOf(
  { requests, started_at, rows }: Ingested,
  { header, row_count, hash }: Rows,
  outcome: Outcome,
  account: string,
): IngestReceipt {
  return {
    rows: row_count,
    columns: header.length,
    requests,
    is_changed: outcome === 'new',
    needs_approval: outcome === 'needs_approval',
    hash: hash ?? '',
    ...(rows !== null &&
      rows.formats.sample_rows !== null && { format_sample_rows: rows.formats.sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    account,
  }
}
