import type { Row } from '../../../../contract/tables.ts'
import type { Source } from '../../../connectors/connector.ts'
import { BLANK_ROW, filledCells, parseRow, rowText, storedText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { RowSink } from '../../../snapshots/fingerprint.ts'
import type { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import { type SampleRow, SpreadSample } from '../../../snapshots/spread-sample.ts'
import { CellNotes } from '../../cell-notes.ts'
import { type PlainRow, plainRow } from '../../plain-row.ts'
import { CachedRows } from './cached-rows.ts'
import { Projection } from './projection.ts'
import type { StreamedRows } from './streamed-rows.ts'
import { onFirstRequest } from './target-prefetch.ts'

type Deps = {
  context: RunContext
  source: Source
  /** Called when the first request for the source's rows was sent. */
  onRequested: () => void
  excluded_fields: string[]
  /** Maximum length of a text cell in the target, in UTF-16 units. */
  cell_characters: number
}

/** Result of one read of the source, without the excluded columns. */
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
  projection: Projection
  requests: number
}

/**
 * Reads the source once, from its header row down, into `table`. Also passes data rows to `writer`, if given, and notifies `streamed` of
 * each batch.
 */
export async function readOnce<Table extends RowSink>(
  { context, source, onRequested, excluded_fields, cell_characters }: Deps,
  table: Table,
  writer: SnapshotWriter | null,
  streamed: StreamedRows | null = null,
): Promise<ReadTable<Table>> {
  const reading = source.read()
  const notes = new CellNotes({}, cell_characters)
  const rows = new CachedRows()
  const sample = new SpreadSample()
  let projection: Projection | null = null
  let header: Row = []
  let columns = 0
  let filled = 0
  let seen = 0
  let blanks = 0
  const phase = writer ? 'Reading' : 'Reading again'
  try {
    await context.progress({ rows_done: 0, rows_total: null, phase })
    for await (const batch of onFirstRequest(reading.batches, onRequested)) {
      for (const bytes of batch) take(bytes)
      if (table.rows > 0) streamed?.grow({ header, kept: rows, rows: table.rows, columns, filled })
      if (writer) await writer.flushIfLarge()
      await context.progress({ rows_done: Math.max(0, seen - 1), rows_total: null, phase })
    }
    streamed?.complete()
    await writer?.close()
  } catch (error) {
    await writer?.abandon()
    throw error
  }
  projection ??= new Projection([], [])
  return { table, rows, header, columns, sample: sample.rows, notes, projection, requests: reading.requests }

  function take(bytes: Uint8Array): void {
    const number = seen
    seen += 1
    const isPassedOn = projection?.isWhole && !sample.wants(number) && bytes.length <= cell_characters
    const plain = isPassedOn ? plainRow(bytes) : null
    if (plain) add(bytes, plain)
    else takeParsed(number, bytes)
  }

  function takeParsed(number: number, bytes: Uint8Array): void {
    const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
    const row = parseRow(json)
    projection ??= new Projection(row, excluded_fields)
    if (number > 0) sample.add(number, row)
    const projected = projection.row(row)
    const kept = notes.take(projected, table.rows + blanks)
    // Always serialize the header row: it is stored as cells, and its hash covers their serialized form.
    const isHeader = table.rows + blanks === 0
    if (isHeader) header = kept
    const text = kept === row && !isHeader ? storedText(kept, json) : rowText(kept)
    add(Buffer.from(text), { columns: kept.length, filled: filledCells(kept) })
  }

  /** Removing columns may leave blank rows; blank rows at the end are not part of the table. */
  function add(json: Uint8Array, row: PlainRow): void {
    if (row.columns === 0) {
      blanks += 1
      return
    }
    for (; blanks > 0; blanks -= 1) push(BLANK_ROW, 0)
    push(json, row.filled)
    columns = Math.max(columns, row.columns)
  }

  function push(json: Uint8Array, cells: number): void {
    filled += cells
    if (writer && table.rows > 0) {
      writer.add(table.rows, json)
      rows.add(json)
    }
    table.push(json, cells)
  }
}
