import type { Pool } from 'pg'
import type { ColumnName } from '../../../contract/remembered-columns/calls.ts'
import type { Row } from '../../../contract/tables.ts'
import type { JudgedFormats, Source, SourceRead } from '../../connectors/connector.ts'
import { parseRow } from '../../connectors/row-json.ts'
import { type RunContext, RunFailure } from '../../engine/types.ts'
import { TableFormats } from '../../snapshots/column-format.ts'
import {
  beginSnapshot,
  completeSnapshot,
  dropSnapshot,
  takeRows,
  textsByNumber,
} from '../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../snapshots/snapshot-writer.ts'
import type { CellNotes } from '../cell-notes.ts'
import { count } from '../messages.ts'
import { readCheckpoint, type Stored } from './checkpoint.ts'
import { renameColumns } from './column-names.ts'
import { IncomingRows } from './incoming-rows.ts'

/** How often an origin that changes during the read is read. */
const MAX_READS = 3
/** Data rows from which the number formats of a large table are judged. */
const SAMPLE_ROWS = 100

type Deps = {
  context: RunContext
  pool: Pool
  source: Source
  /** Identifies what is read; only a checkpoint of the same origin is resumed. */
  origin: string
  chunk_size: number
  max_rows: number
  /** The validator that the origin returned last time; null: none. */
  validator: unknown
  /** Rows above the first data row, for row numbers in messages. */
  rows_above?: number
  /** Whether users may edit the origin while it is read in several requests. It is then read twice and compared. */
  is_edited: boolean
  /** Columns that are stored under another name. */
  column_names?: readonly ColumnName[]
}

/** The cost of a run so far. */
type Cost = { requests: number; started_at: number }

/** `rows` null: the origin has not changed since `validator`. */
export type Ingested = Cost & { reading: SourceRead; rows: IngestedRows | null }

/** A complete snapshot of an origin's rows that no task points to yet. */
export type IngestedRows = {
  snapshot_id: number
  header: Row
  row_count: number
  hash: string
  notes: CellNotes
  formats: JudgedFormats
  /** Columns that have another name in the origin. */
  renamed: ColumnName[]
}

/**
 * Reads an origin into a snapshot, resuming from the checkpoint of the run's previous worker if the connector can. Throws RunFailure
 * past a limit, and what the connector throws.
 */
export async function ingestRows(deps: Deps): Promise<Ingested> {
  let spent: Cost | null = null
  for (let nth = 1; ; nth += 1) {
    try {
      return await ingestOnce(deps, spent)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) || nth === MAX_READS) throw error
      await deps.context.log('INFO', `${error.message} It is read again.`)
      spent = error.spent
    }
  }
}

/** The origin changed while it was read. */
class ChangedMeanwhile extends RunFailure {
  readonly spent: Cost
  constructor(message: string, spent: Cost) {
    super(message, { retryable: true })
    this.spent = spent
  }
}

/** `spent`: the cost of an earlier read that was discarded; null: this is the first read, which may resume a checkpoint. */
async function ingestOnce(deps: Deps, spent: Cost | null): Promise<Ingested> {
  const { context, pool, source, origin, chunk_size, max_rows, rows_above = 0, validator } = deps
  const { snapshot_id, stored, ...before } = await begin(deps, spent)
  const writer = new SnapshotWriter(pool, snapshot_id)
  const incoming = new IncomingRows(writer, stored, { title: source.title, max_rows, rows_above })
  const resume = stored && { checkpoint: stored.at, header: stored.header, rows: stored.rows + 1 }
  const reading = source.read(resume ? { resume } : { validator })
  const cost = () => ({ ...before, requests: before.requests + reading.requests })

  // A checkpoint may be saved once its rows are stored. The writer awaits one batch before it sends the next, so the checkpoint of a
  // batch is saved when the batch after it is sent.
  let unconfirmed: object | null = null
  let sent = false
  const send = async (): Promise<void> => {
    await writer.flush()
    if (unconfirmed) await context.checkpoint(unconfirmed)
    unconfirmed = null
    sent = true
  }
  try {
    let isHeader = stored === null
    for await (const batch of reading.batches) {
      for (const row of batch) {
        if (isHeader) {
          isHeader = false
          continue
        }
        incoming.add(row)
        if (writer.isLarge && incoming.rows % chunk_size === 0) await send()
      }
      const header = incoming.header(reading.header ?? stored?.header ?? [])
      if (reading.checkpoint !== null && (sent || writer.isLarge)) {
        await send()
        sent = false
        const { rows, columns, hash, notes } = incoming
        const at = reading.checkpoint
        const reached: Stored = { origin, at, header, rows, columns, hash: hash.state, notes }
        // Cloned, because the notes change with the next rows.
        unconfirmed = { ...cost(), snapshot_id, stored: structuredClone({ ...reached, notes: { ...notes } }) }
      }
      const { rows: rows_done } = incoming
      await context.progress({ rows_done, rows_total: reading.total, phase: 'Reading' })
    }
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
  const { changed = null } = reading
  // A change that is not certain is retried once only: some origins always look changed.
  if (changed && (changed.isCertain || spent === null)) {
    await context.transaction((trx) => dropSnapshot(trx, snapshot_id))
    throw new ChangedMeanwhile(changed.message, cost())
  }
  if (reading.unchanged) {
    await context.transaction((trx) => dropSnapshot(trx, snapshot_id))
    return { ...cost(), reading, rows: null }
  }
  if (deps.is_edited && reading.requests > 1) await requireUnedited(deps, incoming.hash.digest)
  const { column_names = [] } = deps
  const { header, renamed } = renameColumns(
    incoming.header(reading.header ?? stored?.header ?? []),
    column_names,
  )
  const rows = { header, row_count: incoming.rows }
  const judged = await formatsOf(deps, snapshot_id, incoming.rows)
  const formats = new TableFormats(judged.columns.map(({ format, runs }) => ({ format, runs })))
  const { hash } = incoming
  const { stored: shown } = formats
  const isMixed = Object.keys(shown.format_runs).length > 0
  hash.push(JSON.stringify([header, shown.formats, ...(isMixed ? [shown.format_runs] : [])]))
  await context.transaction((trx) =>
    completeSnapshot(trx, snapshot_id, {
      ...rows,
      formats,
      hash: hash.digest,
      read_snapshot_id: reading.snapshot_id ?? null,
    }),
  )
  return {
    ...cost(),
    reading,
    rows: { ...rows, snapshot_id, hash: hash.digest, notes: incoming.notes, formats: judged, renamed },
  }
}

/** Begins a new snapshot even when resuming: the previous worker may still be writing to its own. */
async function begin(
  { context, origin }: Deps,
  spent: Cost | null,
): Promise<Cost & { snapshot_id: number; stored: Stored | null }> {
  const { task_id, id: run_id } = context.run
  const checkpoint = spent ? null : readCheckpoint(context)
  const from = checkpoint?.stored.origin === origin ? checkpoint : null
  const snapshot_id = await context.transaction(async (trx) => {
    const id = await beginSnapshot(trx, { task_id, run_id, kind: 'source' })
    if (from) await takeRows(trx, from.snapshot_id, id, from.stored.rows)
    return id
  })
  const { requests = 0, started_at = Date.now() } = spent ?? checkpoint ?? {}
  if (!from) return { snapshot_id, stored: null, requests, started_at }
  await context.log('INFO', `Resuming after ${count(from.stored.rows, 'row')}.`)
  await context.checkpoint({ ...from, snapshot_id })
  return { snapshot_id, stored: from.stored, requests, started_at }
}

/** Reads the origin again and compares hashes. Throws RunFailure (retryable) if the rows differ. */
async function requireUnedited(
  { context, source, max_rows, rows_above = 0 }: Deps,
  hash: string,
): Promise<void> {
  const { title } = source
  const again = new IncomingRows({ add: () => {} }, null, { title, max_rows, rows_above })
  let isHeader = true
  for await (const batch of source.read().batches)
    for (const row of batch) {
      if (!isHeader) again.add(row)
      isHeader = false
      if (again.rows % 1000 === 0) await context.progress({ rows_done: again.rows, phase: 'Reading again' })
    }
  if (again.hash.digest !== hash)
    throw new RunFailure(`${title} was edited while it was read.`, { retryable: true })
}

async function formatsOf(
  { context, source }: Deps,
  snapshot_id: number,
  rows: number,
): Promise<JudgedFormats> {
  const step = Math.max(1, Math.ceil(rows / SAMPLE_ROWS))
  const numbers = Array.from({ length: Math.ceil(rows / step) }, (_, n) => n * step + 1)
  const texts = await textsByNumber(context.db, snapshot_id, numbers)
  const sample = numbers.map((row) => ({ row, cells: parseRow(texts.get(row) ?? '[]') }))
  return source.formats({ sample, rows })
}
