import type { Pool } from 'pg'
import type { ExtraColumn } from '../../../../contract/rows/row-settings.ts'
import type { Row } from '../../../../contract/tables.ts'
import { type FormulaText, NO_FORMAT, type Source } from '../../../connectors/connector.ts'
import { filledCells, parseRow, rowText } from '../../../connectors/row-json.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import type { TableFormats } from '../../../snapshots/column-format.ts'
import { Fingerprint, TableHash } from '../../../snapshots/fingerprint.ts'
import type { CellPlaces } from '../../../snapshots/formula-cells.ts'
import {
  beginSnapshot,
  completeSnapshot,
  dropSnapshot,
  readSnapshot,
  replaceRows,
  type StoredSnapshot,
  snapshotTexts,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import type { CellNotes } from '../../cell-notes.ts'
import { arrangeFormats } from './arrange-formats.ts'
import type { ArrangeSettings } from './arrangement.ts'
import { CachedRows } from './cached-rows.ts'
import type { LastRows } from './last-rows.ts'
import type { RowOrigin } from './projection.ts'
import { readOnce } from './read-once.ts'
import { TIME_FORMAT, TimedFingerprint, type TimedVersion } from './run-time.ts'
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
  /** Cells that are written as formulas, in row order; a source has values only. */
  formulas: FormulaText[]
  fingerprint: Fingerprint
  /** Cache of the first data rows. */
  cachedRows: CachedRows
  hash: string
}

type Deps = {
  context: RunContext
  pool: Pool
  source: Source
  /** Called each time the first request for the source's rows was sent. */
  onRequested: () => void
  arrangement: ArrangeSettings
  originAt: (row: number) => RowOrigin
  /** Rows that the task wrote last, which incomplete records keep; omitted: none do. */
  lastRows?: LastRows
  cell_characters: number
  /** Receives the rows of the first read while they arrive; null: no receiver. */
  streamed: StreamedRows | null
  /** The last version, if columns of it hold the time of its run. */
  last: TimedVersion | null
  /** Called when rows that were streamed are discarded. */
  discard: () => Promise<void>
}

/** Statistics and findings of reading the source. */
export type ReadReport = {
  requests: number
  readings: number
  /** The source changed between all reads, so the copy may mix rows of different moments. */
  unsettled: boolean
  notes: CellNotes
  excluded: string[]
  /** Columns of the source that the settings do not choose, and whether they are copied all the same. */
  unchosen: { names: string[]; areCopied: boolean }
  /** Data rows of the source, and how many of them pass the filter; null: there is no filter. */
  filtered: { rows: number; passed: number } | null
  /** Incomplete records, and how many of them keep the row that was written last; null: they are copied. */
  incomplete: { rows: number; kept: number } | null
  /** Maximum number of rows, if there were more; null: all are copied. */
  limit: number | null
  /** Columns with several number formats, and whether all of them are copied. */
  mixed_formats: { column: number; is_kept: boolean }[]
  /** Titles of further sources without rows. */
  blank_sources: string[]
  /** The source address of a cell of the copy. */
  address: (row: number, column: number) => string
  /** Number of rows sampled for number formats; null: all rows. */
  format_sample_rows: number | null
}

/**
 * Reads the source into a new snapshot. A read that took several requests is repeated until two consecutive reads agree, because
 * another editor may have changed the source in between. Throws RunFailure if cells are still loading.
 */
export async function readSource(deps: Deps): Promise<{ copy: SourceCopy; report: ReadReport }> {
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

  const { table: fingerprint, rows: cachedRows, snapshot_id, header, columns, notes } = stored
  const { projection } = stored.arrangement
  if (notes.loading.count > 0) {
    throw new RunFailure(`${source.title} has ${notes.loading.count} cells that are still loading.`, {
      retryable: true,
    })
  }
  const row_count = Math.max(0, fingerprint.rows - 1)
  const { sample_rows, columns: judged } = await source.formats({
    sample: stored.sample,
    rows: stored.rowNumbers ? stored.source_rows : row_count,
    isExcluded: projection.isExcluded,
    parts: stored.parts,
  })
  const extraFormat = ({ kind }: ExtraColumn) => (kind === 'run_time' ? TIME_FORMAT : NO_FORMAT)
  const shown = projection.list(judged, NO_FORMAT, extraFormat).slice(0, columns)
  const formats = arrangeFormats(shown, stored.rowNumbers)
  const hash = fingerprint.digest()
  const { read_snapshot_id } = stored
  const source_columns = Array.from({ length: columns }, (_, column) => projection.sourceColumn(column))
  const source_rows = stored.rowNumbers
  const rows = {
    ...{ header, formats, row_count, hash, source_columns, source_rows, read_snapshot_id },
    source_parts: stored.parts ?? null,
  }
  await context.transaction((trx) => completeSnapshot(trx, snapshot_id, rows))
  const copy = { snapshot_id, header, columns, formats, formulas: [], fingerprint, cachedRows, hash }
  const isLast = fingerprint instanceof TimedFingerprint && fingerprint.isLast(formats)
  return {
    copy: isLast ? await atLastTime(deps, copy) : copy,
    report: {
      requests,
      readings,
      unsettled: !settled,
      notes,
      excluded: projection.excluded,
      unchosen: { names: projection.unchosen, areCopied: deps.arrangement.include_new_columns },
      limit: stored.passed > stored.arrangement.max_rows ? stored.arrangement.max_rows : null,
      incomplete: stored.incomplete,
      filtered: deps.arrangement.filter && { rows: stored.source_rows, passed: stored.passed },
      format_sample_rows: sample_rows,
      blank_sources: (stored.parts ?? []).flatMap(({ rows, title }) => (rows === 0 ? title : [])),
      address: (row, column) =>
        addressOf(row, projection.sourceColumn(column)) ??
        `${header[column] ?? `column ${column + 1}`} in row ${(row + 1).toLocaleString('en')}`,
      mixed_formats: shown.flatMap(({ mixed }, column) =>
        mixed ? { column, is_kept: formats.of(column).runs !== null } : [],
      ),
    },
  }

  function addressOf(row: number, column: number | null): string | undefined {
    return column === null ? undefined : source.address?.(row, column)
  }

  async function store(streamed: StreamedRows | null = null) {
    const { task_id, id: run_id } = context.run
    const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
    const table = deps.last ? new TimedFingerprint(deps.last) : new Fingerprint()
    const result = await readOnce(deps, table, new SnapshotWriter(pool, id), streamed)
    readings += 1
    requests += result.requests
    return { ...result, snapshot_id: id, alone: result.isConsistent }
  }
}

/** Stores the rows of the last version instead of those of the copy, which differ by the time of the run alone. */
async function atLastTime({ context, last, discard }: Deps, copy: SourceCopy): Promise<SourceCopy> {
  if (!last) return copy
  await discard()
  const { id, row_count, hash } = last.snapshot
  await context.transaction((trx) => replaceRows(trx, copy.snapshot_id, { id, row_count, hash }))
  const stored = await readSnapshot(context.db, copy.snapshot_id)
  return stored ? reopenCopy(context, stored) : copy
}

/** Opens the copy that an earlier worker of the same run stored. */
export async function reopenCopy(context: RunContext, snapshot: StoredSnapshot): Promise<SourceCopy> {
  const { id: snapshot_id, header, formats, row_count } = snapshot
  const fingerprint = new Fingerprint()
  const cachedRows = new CachedRows()
  const formulas = new FormulaTexts(snapshot.formulas ?? [])
  formulas.addRow(0, header)
  let columns = header.length
  if (header.length > 0 || row_count > 0) fingerprint.push(Buffer.from(rowText(header)), filledCells(header))
  const progress = { rows_total: row_count, phase: 'Reading the stored copy' }
  for await (const texts of snapshotTexts(context.db, snapshot_id, 1, row_count + 1)) {
    await context.progress({ ...progress, rows_done: Math.max(0, fingerprint.rows - 1) })
    for (const text of texts) {
      const json = Buffer.from(text)
      const row = parseRow(text)
      formulas.addRow(fingerprint.rows, row)
      fingerprint.push(json, filledCells(row))
      cachedRows.add(json)
      columns = Math.max(columns, row.length)
    }
  }
  return {
    snapshot_id,
    header,
    columns,
    formats,
    formulas: formulas.texts,
    fingerprint,
    cachedRows,
    hash: fingerprint.digest(),
  }
}

/** Collects the texts of the formulas of a table, row by row. */
class FormulaTexts {
  readonly texts: FormulaText[] = []
  readonly #cells: CellPlaces
  #next = 0

  constructor(cells: CellPlaces) {
    this.#cells = cells
  }

  addRow(number: number, row: Row): void {
    for (let cell = this.#cells[this.#next]; cell && cell.row <= number; cell = this.#cells[this.#next]) {
      const text = row[cell.column]
      if (cell.row === number && typeof text === 'string') this.texts.push({ ...cell, text })
      this.#next += 1
    }
  }
}

/** The data rows that the copy writes to its target. */
export const writtenRows = ({ snapshot_id, fingerprint }: SourceCopy) => ({
  id: snapshot_id,
  row_count: Math.max(0, fingerprint.rows - 1),
})
