import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'
import { parseRow, rowText } from '../../../connectors/row-json.ts'
import { TableHash } from '../../../snapshots/fingerprint.ts'
import {
  beginSnapshot,
  completeSnapshot,
  type StoredSnapshot,
  textsOfRows,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { SourceCopy } from '../read/source-copy.ts'

const ROWS_PER_PAGE = 1_000
const BLANK = '[]'

/** A wanted row: where its cells of the source are (0: nowhere), and the row built from them. */
export type WantedRow = { source: number; build: (copied: Row) => Row }

type Table = {
  copy: Pick<SourceCopy, 'snapshot_id'>
  header: Row
  formats: StoredSnapshot['formats']
  rows: Iterable<WantedRow>
  /** Wanted cells that are formulas of other people. */
  formulasOf: (rows: readonly CellPlace[]) => Promise<CellPlace[]>
  source_columns: (number | null)[] | null
  sourceRow: (row: number) => number
  read_snapshot_id: number | null
}

/** Stores the rows that the target is to hold as a new snapshot. */
export async function storeWanted({ context, settings }: CopyAttempt, table: Table): Promise<StoredSnapshot> {
  const { task_id, id: run_id } = context.run
  const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
  const writer = new SnapshotWriter(settings.pool, id)
  const hash = new TableHash()
  hash.push(Buffer.from(rowText(table.header)))
  const source_rows: number[] = []
  const likeFormulas: CellPlace[] = []
  let [row_count, blanks] = [0, 0]
  const put = (text: string) => {
    row_count += 1
    writer.add(row_count, text)
    hash.push(Buffer.from(text))
  }
  try {
    for (const page of pagesOf(table.rows)) {
      await context.assertLease()
      const numbers = page.flatMap(({ source }) => (source > 0 ? source : []))
      const texts = await textsOfRows(context.db, table.copy.snapshot_id, numbers)
      for (const { source, build } of page) {
        const row = build(source > 0 ? parseRow(texts.get(source) ?? BLANK) : [])
        source_rows.push(source > 0 ? table.sourceRow(source) : 0)
        noteFormulas(row, source_rows.length, likeFormulas)
        const text = row.length === 0 ? BLANK : rowText(row)
        // Blank rows at the end are no part of a table.
        blanks += text === BLANK ? 1 : 0
        if (text === BLANK) continue
        for (; blanks > 0; blanks -= 1) put(BLANK)
        put(text)
        await writer.flushIfLarge()
      }
    }
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
  const formulas = likeFormulas.length === 0 ? [] : await table.formulasOf(likeFormulas)
  const { header, formats, source_columns, read_snapshot_id } = table
  const complete = { header, formats, formulas, row_count, hash: hash.digest() }
  await context.transaction((trx) =>
    completeSnapshot(trx, id, {
      ...complete,
      ...{ source_columns, read_snapshot_id, source_rows: source_rows.slice(0, row_count) },
    }),
  )
  return { id, ...complete }
}

function noteFormulas(row: Row, number: number, found: CellPlace[]): void {
  for (const [column, cell] of row.entries())
    if (typeof cell === 'string' && cell.startsWith('=')) found.push({ row: number, column })
}

function* pagesOf(rows: Iterable<WantedRow>): Generator<WantedRow[]> {
  let page: WantedRow[] = []
  for (const row of rows) {
    page.push(row)
    if (page.length < ROWS_PER_PAGE) continue
    yield page
    page = []
  }
  yield page
}
