import type { Row } from '../../../../contract/tables.ts'
import type { ReadPart, Source } from '../../../connectors/connector.ts'
import { BLANK_ROW, filledCells, parseRow, rowText, storedText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { RowSink } from '../../../snapshots/fingerprint.ts'
import { plainSku } from '../../../snapshots/sku.ts'
import type { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import { type SampleRow, SpreadSample } from '../../../snapshots/spread-sample.ts'
import { CellNotes } from '../../cell-notes.ts'
import { type PlainRow, plainRow } from '../../plain-row.ts'
import { type Arrangement, type ArrangeSettings, arrange } from './arrangement.ts'
import { CachedRows } from './cached-rows.ts'
import type { LastRows } from './last-rows.ts'
import type { RowOrigin } from './projection.ts'
import type { StreamedRows } from './streamed-rows.ts'
import { onFirstRequest } from './target-prefetch.ts'
import { UnsortedRows } from './unsorted-rows.ts'

/** Sorted rows after which the run reports that it goes on. */
const ROWS_PER_REPORT = 1_000
const LEFT_OUT = 'left out'

type Deps = {
  context: RunContext
  source: Source
  /** Called when the first request for the source's rows was sent. */
  onRequested: () => void
  arrangement: ArrangeSettings
  originAt: (row: number) => RowOrigin
  /** Rows that the task wrote last, which incomplete records keep; omitted: none do. */
  lastRows?: LastRows
  /** Maximum length of a text cell in the target, in UTF-16 units. */
  cell_characters: number
}

/** Result of one read of the source, with the rows and columns that are copied. */
export type ReadTable<Table> = {
  table: Table
  /** Cache of the rows that went to the writer. */
  rows: CachedRows
  header: Row
  /** Columns of the widest row. */
  columns: number
  /** Data rows sampled over the whole table, with all their columns. */
  sample: SampleRow[]
  notes: CellNotes
  arrangement: Arrangement
  /** Data rows of the source that pass the filter, and all of them. */
  passed: number
  source_rows: number
  /** Incomplete records, and how many of them keep the row that was written last; null: they are copied. */
  incomplete: { rows: number; kept: number } | null
  /** Data row of the source for each data row of the copy, both counted from 1; null: the same. */
  rowNumbers: number[] | null
  requests: number
  /** The stored version that was read; null: the source is outside, or there are several. */
  read_snapshot_id: number | null
  /** The rows of each source; undefined: there is one. */
  parts: readonly ReadPart[] | undefined
  /** Whether the rows of each source are those of one moment. */
  isConsistent: boolean
}

/**
 * Reads the source once, from its header row down, into `table`. Also passes data rows to `writer`, if given, and notifies `streamed` of
 * each batch.
 */
export async function readOnce<Table extends RowSink>(
  { context, source, onRequested, arrangement: settings, originAt, lastRows, cell_characters }: Deps,
  table: Table,
  writer: SnapshotWriter | null,
  streamed: StreamedRows | null = null,
): Promise<ReadTable<Table>> {
  const reading = source.read()
  const notes = new CellNotes({}, cell_characters)
  const rows = new CachedRows()
  const sample = new SpreadSample()
  const rowNumbers: number[] = []
  let arrangement: Arrangement | null = null
  let unsorted: UnsortedRows | null = null
  let header: Row = []
  let columns = 0
  let filled = 0
  let seen = 0
  let passed = 0
  const incomplete = { rows: 0, kept: 0 }
  /** Numbers of the blank rows after the last row of the table. */
  let blanks: number[] = []
  const phase = writer ? 'Reading' : 'Reading again'
  try {
    await context.progress({ rows_done: 0, rows_total: null, phase })
    for await (const batch of onFirstRequest(reading.batches, onRequested)) {
      if (settings.completeness?.only_complete) await loadLastRows(batch)
      for (const bytes of batch) take(bytes)
      grow()
      if (writer) await writer.flushIfLarge()
      await context.progress({ rows_done: Math.max(0, seen - 1), rows_total: null, phase })
    }
    for await (const { json, size, number } of sorted()) {
      add(json, size, number)
      if (writer) await writer.flushIfLarge()
      if (number % ROWS_PER_REPORT === 0) await context.progress({})
    }
    grow()
    streamed?.complete()
    await writer?.close()
  } catch (error) {
    await writer?.abandon()
    throw error
  }
  arrangement ??= arrange([], settings, source.title)
  const { requests, snapshot_id: read_snapshot_id = null, parts, isConsistent = requests <= 1 } = reading
  return {
    table,
    rows,
    header,
    columns,
    sample: sample.rows,
    notes,
    arrangement,
    passed,
    incomplete: arrangement.needed && incomplete,
    source_rows: Math.max(0, seen - 1),
    rowNumbers: arrangement.changesRows ? rowNumbers : null,
    requests,
    read_snapshot_id,
    parts,
    isConsistent,
  }

  function grow(): void {
    if (table.rows > 0) streamed?.grow({ header, kept: rows, rows: table.rows, columns, filled })
  }

  function take(bytes: Uint8Array): void {
    const number = seen
    seen += 1
    const isPassedOn = arrangement?.isWhole && !sample.wants(number) && bytes.length <= cell_characters
    const plain = isPassedOn ? plainRow(bytes) : null
    if (plain) add(bytes, plain, number)
    else takeParsed(number, bytes)
  }

  function takeParsed(number: number, bytes: Uint8Array): void {
    const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    const row = parseRow(json)
    if (!arrangement) {
      arrangement = arrange(row, settings, source.title)
      unsorted = arrangement.order && new UnsortedRows(arrangement.order, source.title)
      header = notes.take(arrangement.projection.header, 0)
      // Always serialize the header row: it is stored as cells, and its hash covers their serialized form.
      add(Buffer.from(rowText(header)), sizeOf(header), number)
      return
    }
    const { projection, passes, max_rows } = arrangement
    sample.add(number, row)
    if (!passes(row)) return
    const former = lastRowOf(row)
    if (former === LEFT_OUT) return
    passed += 1
    if (!unsorted && passed > max_rows) return
    const projected = former ?? projection.row(row, number, originAt(number))
    const kept = notes.take(projected, number)
    const text = kept === row ? storedText(kept, json) : rowText(kept)
    const copied = { json: Buffer.from(text), size: sizeOf(kept), number }
    if (unsorted) unsorted.add(copied, row)
    else add(copied.json, copied.size, number)
  }

  /** What an incomplete record has instead of its row: the row that was written last, or none. Null: it is complete. */
  function lastRowOf(row: Row): Row | typeof LEFT_OUT | null {
    const needed = arrangement?.needed
    if (!needed || needed.isComplete(row)) return null
    incomplete.rows += 1
    const last = lastRows?.take(plainSku(String(row[needed.sku.source] ?? '')))
    if (last === undefined) return LEFT_OUT
    incomplete.kept += 1
    return last
  }

  async function loadLastRows(batch: readonly Uint8Array[]): Promise<void> {
    const rows = batch.map((bytes) => parseRow(Buffer.from(bytes).toString('utf8')))
    const { needed, projection } = arrangement ?? arrange(rows.shift() ?? [], settings, source.title)
    if (needed === null) return
    const { source: from, copy } = needed.sku
    const skus = rows.filter((row) => !needed.isComplete(row)).map((row) => plainSku(String(row[from] ?? '')))
    await lastRows?.load(skus, projection.header, copy)
  }

  // The rows of a sorted table are known at the end.
  async function* sorted() {
    if (unsorted && arrangement) yield* unsorted.sorted(arrangement.max_rows)
  }

  /** Removing columns may leave blank rows; blank rows at the end are not part of the table. */
  function add(json: Uint8Array, row: PlainRow, number: number): void {
    if (row.columns === 0) {
      blanks.push(number)
      return
    }
    for (const blank of blanks) push(BLANK_ROW, 0, blank)
    blanks = []
    push(json, row.filled, number)
    columns = Math.max(columns, row.columns)
  }

  function push(json: Uint8Array, cells: number, number: number): void {
    filled += cells
    if (arrangement?.changesRows && table.rows > 0) rowNumbers.push(number)
    if (writer && table.rows > 0) {
      writer.add(table.rows, json)
      rows.add(json)
    }
    table.push(json, cells)
  }
}

const sizeOf = (row: Row): PlainRow => ({ columns: row.length, filled: filledCells(row) })
