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
  /** Called when its rows have been asked for. */
  follow: () => void
  excluded_fields: string[]
  /** UTF-16 units of text that a cell of the target has room for. */
  cell_characters: number
}

/** What one reading of the source came to, without the columns left out. */
export type ReadTable<Table> = {
  table: Table
  /** Those that went to the writer. */
  rows: CachedRows
  header: Row
  /** Columns of the widest row. */
  columns: number
  /** Data rows from all of its length, with all their columns. */
  sample: SampleRow[]
  notes: CellNotes
  projection: Projection
  requests: number
}

/**
 * Reads the source once, from its header row down, into `table`; data rows go to `writer` as well, if there is one, and `ahead` is
 * told of them as they come.
 */
export async function readOnce<Table extends RowSink>(
  { context, source, follow, excluded_fields, cell_characters }: Deps,
  table: Table,
  writer: SnapshotWriter | null,
  ahead: StreamedRows | null = null,
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
    for await (const batch of onFirstRequest(reading.batches, follow)) {
      for (const bytes of batch) take(bytes)
      if (table.rows > 0) ahead?.grow({ header, kept: rows, rows: table.rows, columns, filled })
      if (writer) await writer.flushIfLarge()
      await context.progress({ rows_done: Math.max(0, seen - 1), rows_total: null, phase })
    }
    ahead?.complete()
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
    // The header row is stored as its cells, and counts as what these are written as.
    const isHeader = table.rows + blanks === 0
    if (isHeader) header = kept
    const text = kept === row && !isHeader ? storedText(kept, json) : rowText(kept)
    add(Buffer.from(text), { columns: kept.length, filled: filledCells(kept) })
  }

  /** Leaving columns out may leave rows blank, and blank ones at the end do not count. */
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
