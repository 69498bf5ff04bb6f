import type { Pool } from 'pg'
import type { Row } from '../../../../contract/tables.ts'
import { NO_FORMAT, type Source } from '../../../connectors/connector.ts'
import { filledCells, parseRow, rowText } from '../../../connectors/row-json.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
import { Fingerprint, TableHash } from '../../../snapshots/fingerprint.ts'
import {
  beginSnapshot,
  completeSnapshot,
  dropSnapshot,
  readSnapshot,
  snapshotTexts,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import type { CellNotes } from '../../cell-notes.ts'
import { CachedRows } from './cached-rows.ts'
import { readOnce } from './read-once.ts'
import type { StreamedRows } from './streamed-rows.ts'

/** Maximum number of reads of a source that keeps changing; the last stored read is then copied. */
const MAX_READS = 5

/** The source's rows, stored in a snapshot, with the data that comparing them needs. */
export type SourceCopy = {
  snapshot_id: number
  header: Row
  /** Columns of the widest row. */
  columns: number
  formats: TableFormats
  fingerprint: Fingerprint
  /** Cache of the first data rows. */
  kept: CachedRows
  hash: string
}

type Deps = {
  context: RunContext
  pool: Pool
  source: Source
  /** Called each time the first request for the source's rows was sent. */
  onRequested: () => void
  excluded_fields: string[]
  cell_characters: number
  /** Receives the rows of the first read while they arrive; null: no receiver. */
  streamed: StreamedRows | null
  /** Called when the source is read again, so that rows of the first read are discarded. */
  discard: () => Promise<void>
}

/** Statistics and findings of reading the source. */
export type ReadingReport = {
  requests: number
  readings: number
  /** The source changed between all reads, so the copy may mix rows of different moments. */
  unsettled: boolean
  notes: CellNotes
  excluded: string[]
  /** Columns with several number formats, and whether all of them are copied. */
  mixed_formats: { column: number; is_kept: boolean }[]
  /** The source address of a cell of the copy. */
  address: (row: number, column: number) => string
  /** Number of rows sampled for number formats; null: all rows. */
  format_sample_rows: number | null
}

/**
 * Reads the source into a new snapshot. A read that took several requests is repeated until two consecutive reads agree, because
 * another editor may have changed the source in between. Throws RunFailure if cells are still loading.
 */
export async function readSource(deps: Deps): Promise<{ copy: SourceCopy; report: ReadingReport }> {
  const { context, pool, source } = deps
  let readings = 0
  let requests = 0
  let stored = await store(deps.streamed)
  let settled = stored.alone
  while (!settled && readings < MAX_READS) {
    const again = await readOnce(deps, new TableHash(), null)
    readings += 1
    requests += again.requests
    settled = again.table.digest() === stored.table.digest()
    if (settled || readings >= MAX_READS) break
    await context.log('INFO', `${source.title} was edited while it was read. Reading it again.`)
    await deps.discard()
    await context.transaction((trx) => dropSnapshot(trx, stored.snapshot_id))
    stored = await store()
    settled = stored.alone || stored.table.digest() === again.table.digest()
  }

  const { table: fingerprint, rows: kept, snapshot_id, header, columns, notes, projection } = stored
  if (notes.loading.count > 0) {
    throw new RunFailure(`${source.title} has ${notes.loading.count} cells that are still loading.`, {
      retryable: true,
    })
  }
  const row_count = Math.max(0, fingerprint.rows - 1)
  const { sample_rows, columns: judged } = await source.formats({
    sample: stored.sample,
    rows: row_count,
    isExcluded: projection.isExcluded,
  })
  const shown = projection.list(judged, NO_FORMAT).slice(0, columns)
  const formats = new TableFormats(shown.map(({ format, runs }) => ({ format, runs })))
  const hash = fingerprint.digest()
  const rows = { header, formats, row_count, hash }
  await context.transaction((trx) => completeSnapshot(trx, snapshot_id, rows))
  return {
    copy: { snapshot_id, header, columns, formats, fingerprint, kept, hash },
    report: {
      requests,
      readings,
      unsettled: !settled,
      notes,
      excluded: projection.excluded,
      format_sample_rows: sample_rows,
      address: (row, column) =>
        source.address?.(row, projection.sourceColumn(column)) ??
        `${header[column] ?? `column ${column + 1}`} in row ${(row + 1).toLocaleString('en')}`,
      mixed_formats: shown.flatMap(({ mixed, runs }, column) =>
        mixed ? { column, is_kept: runs !== null } : [],
      ),
    },
  }

  async function store(streamed: StreamedRows | null = null) {
    const { task_id, id: run_id } = context.run
    const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
    const result = await readOnce(deps, new Fingerprint(), new SnapshotWriter(pool, id), streamed)
    readings += 1
    requests += result.requests
    return { ...result, snapshot_id: id, alone: result.requests <= 1 }
  }
}

/** Opens the copy that an earlier worker of the same run stored; null if the snapshot does not exist. */
export async function reopenCopy(context: RunContext, snapshot_id: number): Promise<SourceCopy | null> {
  const snapshot = await readSnapshot(context.db, snapshot_id)
  if (!snapshot) return null
  const { header, formats, row_count } = snapshot
  const fingerprint = new Fingerprint()
  const kept = new CachedRows()
  let columns = header.length
  if (header.length > 0 || row_count > 0) fingerprint.push(Buffer.from(rowText(header)), filledCells(header))
  const progress = { rows_total: row_count, phase: 'Reading the stored copy' }
  for await (const texts of snapshotTexts(context.db, snapshot_id, 1, row_count + 1)) {
    await context.progress({ ...progress, rows_done: Math.max(0, fingerprint.rows - 1) })
    for (const text of texts) {
      const json = Buffer.from(text)
      const row = parseRow(text)
      fingerprint.push(json, filledCells(row))
      kept.add(json)
      columns = Math.max(columns, row.length)
    }
  }
  return {
    snapshot_id,
    header,
    columns,
    formats,
    fingerprint,
    kept,
    hash: fingerprint.digest(),
  }
}

/** The data rows that the copy writes to its target. */
export const writtenRows = ({ snapshot_id, fingerprint }: SourceCopy) => ({
  id: snapshot_id,
  row_count: fingerprint.rows - 1,
})
