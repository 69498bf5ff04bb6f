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

/** Readings after which a source that keeps changing is copied as it is. */
const MOST_READINGS = 5

/** The source as it was read: stored in a snapshot, with what is needed to compare it. */
export type SourceCopy = {
  snapshot_id: number
  header: Row
  /** Columns of the widest row. */
  columns: number
  formats: TableFormats
  fingerprint: Fingerprint
  /** The first of its data rows. */
  kept: CachedRows
  hash: string
}

type Deps = {
  context: RunContext
  pool: Pool
  source: Source
  /** Called whenever its rows have been asked for. */
  follow: () => void
  excluded_fields: string[]
  cell_characters: number
  /** Wants the rows of the first reading as they come; null: nobody does. */
  ahead: StreamedRows | null
  /** Called when the rows of the first reading are not those of the copy. */
  discard: () => Promise<void>
}

/** How reading went, beside the rows themselves. */
export type ReadingReport = {
  requests: number
  readings: number
  /** The source changed between all of them, so that rows of different moments may stand side by side. */
  unsettled: boolean
  notes: CellNotes
  excluded: string[]
  /** Columns whose cells have different number formats, and whether those are kept. */
  mixed_formats: { column: number; is_kept: boolean }[]
  /** Address of a cell of the copy in the source. */
  address: (row: number, column: number) => string
  /** Of how many rows the formats were judged; null: of all. */
  format_sample_rows: number | null
}

/**
 * Reads the source into a new snapshot. A reading that took several requests is repeated until two in a row agree,
 * because somebody may have edited in between. Throws RunFailure when there is nothing to copy.
 */
export async function readSource(deps: Deps): Promise<{ copy: SourceCopy; report: ReadingReport }> {
  const { context, pool, source } = deps
  let readings = 0
  let requests = 0
  let stored = await store(deps.ahead)
  let settled = stored.alone
  while (!settled && readings < MOST_READINGS) {
    const again = await readOnce(deps, new TableHash(), null)
    readings += 1
    requests += again.requests
    settled = again.table.digest() === stored.table.digest()
    if (settled || readings >= MOST_READINGS) break
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

  async function store(ahead: StreamedRows | null = null) {
    const { task_id, id: run_id } = context.run
    const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
    const result = await readOnce(deps, new Fingerprint(), new SnapshotWriter(pool, id), ahead)
    readings += 1
    requests += result.requests
    return { ...result, snapshot_id: id, alone: result.requests <= 1 }
  }
}

/** The copy that an earlier worker of the same run has stored; null if it did not get that far. */
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

/** The data rows that a copy leaves in its target. */
export const writtenRows = ({ snapshot_id, fingerprint }: SourceCopy) => ({
  id: snapshot_id,
  row_count: fingerprint.rows - 1,
})
