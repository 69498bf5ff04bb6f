import type { Row } from '../../../contract/tables.ts'
import type { Source } from '../../connectors/connector.ts'
import { parseRow, rowText, storedText } from '../../connectors/row-json.ts'
import type { RunContext } from '../../engine/types.ts'
import type { RowSink } from '../../snapshots/fingerprint.ts'
import type { SnapshotWriter } from '../../snapshots/snapshot-writer.ts'
import { type SampleRow, SpreadSample } from '../../snapshots/spread-sample.ts'
import { CellNotes } from '../cell-notes.ts'
import { KeptTexts } from './kept-texts.ts'
import { Projection } from './projection.ts'

type Deps = {
  context: RunContext
  source: Source
  excluded_fields: string[]
  /** Whether the rows will be compared with those of a table, and are worth keeping at hand. */
  keep_texts: boolean
  /** UTF-16 units of text that a cell of the target has room for. */
  cell_characters: number
}

/** What one reading of the source came to, without the columns left out. */
export type ReadTable<Table> = {
  table: Table
  texts: KeptTexts
  header: Row
  /** Columns of the widest row. */
  columns: number
  /** Data rows from all of its length, with all their columns. */
  sample: SampleRow[]
  notes: CellNotes
  projection: Projection
  requests: number
}

/** Reads the source once, from its header row down, into `table`; data rows go to `writer` as well, if there is one. */
export async function readOnce<Table extends RowSink>(
  { context, source, excluded_fields, keep_texts, cell_characters }: Deps,
  table: Table,
  writer: SnapshotWriter | null,
): Promise<ReadTable<Table>> {
  const reading = source.read()
  const notes = new CellNotes({}, cell_characters)
  const texts = new KeptTexts()
  const sample = new SpreadSample()
  let projection: Projection | null = null
  let header: Row = []
  let columns = 0
  let seen = 0
  let blanks = 0
  const phase = writer ? 'Reading' : 'Reading again'
  try {
    await context.progress({ rows_done: 0, rows_total: null, phase })
    for await (const batch of reading.batches) {
      for (const bytes of batch) {
        const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
        const row = parseRow(json)
        projection ??= new Projection(row, excluded_fields)
        if (seen > 0) sample.add(seen, row)
        seen += 1
        const projected = projection.row(row)
        // Leaving columns out may leave rows blank, and blank ones at the end do not count.
        if (projected.length === 0) {
          blanks += 1
          continue
        }
        for (; blanks > 0; blanks -= 1) add([], '[]')
        const kept = notes.take(projected, table.rows)
        add(kept, kept === row ? storedText(kept, json) : rowText(kept))
      }
      if (writer) await writer.flushIfLarge()
      await context.progress({ rows_done: Math.max(0, seen - 1), rows_total: null, phase })
    }
    await writer?.close()
  } catch (error) {
    await writer?.abandon()
    throw error
  }
  projection ??= new Projection([], [])
  return { table, texts, header, columns, sample: sample.rows, notes, projection, requests: reading.requests }

  function add(row: Row, text: string): void {
    if (table.rows === 0) header = row
    else {
      writer?.add(table.rows, text)
      if (keep_texts) texts.add(text)
    }
    columns = Math.max(columns, row.length)
    table.push(row, text)
  }
}
