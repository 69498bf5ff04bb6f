import type { Row } from '../../../../contract/tables.ts'
import type { FormulaText } from '../../../connectors/connector.ts'
import { BLANK_ROW, filledCells, parseRowBytes, rowText } from '../../../connectors/row-json.ts'
import { Fingerprint } from '../../../snapshots/fingerprint.ts'
import {
  beginSnapshot,
  completeSnapshot,
  type StoredSnapshot,
  textsOfRows,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import { type PlainRow, plainRow } from '../../plain-row.ts'
import type { CopyAttempt } from '../attempt.ts'
import { CachedRows } from '../read/cached-rows.ts'
import type { SourceCopy } from '../read/source-copy.ts'

const ROWS_PER_PAGE = 1_000
/** The first bytes of a JSON string that begins with "=". */
const LIKE_FORMULA = Buffer.from('"=')

/** A row that the target is to have: the number of the source row that it comes from (0: none), and how its stored form is built. */
export type WantedRow = { source: number; build: (copied: Uint8Array) => Uint8Array }

type Table = {
  /** The rows from which the wanted ones are built. */
  copy: { snapshot_id: number; cachedRows: Pick<CachedRows, 'get'> }
  header: Row
  formats: StoredSnapshot['formats']
  rows: Iterable<WantedRow>
  /** Wanted cells that are formulas of other people. */
  formulasOf: (cells: readonly FormulaText[]) => Promise<FormulaText[]>
  source_columns: (number | null)[] | null
  sourceRow: (row: number) => number
  read_snapshot_id: number | null
}

/** Stores the rows that the target is to hold as a new snapshot. */
export async function storeWanted({ context, settings }: CopyAttempt, table: Table): Promise<SourceCopy> {
  const { task_id, id: run_id } = context.run
  const id = await context.transaction((trx) => beginSnapshot(trx, { task_id, run_id, kind: 'copy' }))
  const writer = new SnapshotWriter(settings.pool, id)
  const { header, formats, source_columns, read_snapshot_id } = table
  const fingerprint = new Fingerprint()
  const cachedRows = new CachedRows()
  const source_rows: number[] = []
  const likeFormulas: FormulaText[] = []
  let [row_count, columns, blanks] = [0, header.length, 0]
  const putHeader = () => fingerprint.push(Buffer.from(rowText(header)), filledCells(header))
  if (header.length > 0) putHeader()
  const put = (json: Uint8Array, filled: number) => {
    if (fingerprint.rows === 0) putHeader()
    row_count += 1
    writer.add(row_count, json)
    fingerprint.push(json, filled)
    cachedRows.add(json)
  }
  try {
    for (const page of pagesOf(table.rows)) {
      await context.assertLease()
      const { cachedRows: cached, snapshot_id } = table.copy
      const isStored = ({ source }: WantedRow) => source > 0 && cached.get(source) === undefined
      const texts = await textsOfRows(
        context.db,
        snapshot_id,
        page.filter(isStored).map(({ source }) => source),
      )
      for (const { source, build } of page) {
        const json = build(cached.get(source) ?? Buffer.from(texts.get(source) ?? '[]'))
        source_rows.push(source > 0 ? table.sourceRow(source) : 0)
        const size = sizeOf(json, source_rows.length, likeFormulas)
        // Blank rows at the end are no part of a table.
        if (size.columns === 0) {
          blanks += 1
          continue
        }
        columns = Math.max(columns, size.columns)
        for (; blanks > 0; blanks -= 1) put(BLANK_ROW, 0)
        put(json, size.filled)
        if (writer.isLarge) await writer.flush()
      }
    }
    await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
  const formulas = likeFormulas.length === 0 ? [] : await table.formulasOf(likeFormulas)
  const hash = fingerprint.digest()
  await context.transaction((trx) =>
    completeSnapshot(trx, id, {
      ...{ header, formats, formulas, row_count, hash },
      ...{ source_columns, read_snapshot_id, source_rows: source_rows.slice(0, row_count) },
    }),
  )
  return { snapshot_id: id, header, columns, formats, formulas, fingerprint, cachedRows, hash }
}

/** The columns and filled cells of a row. Adds the cells that may be formulas to `found`. */
function sizeOf(json: Uint8Array, number: number, found: FormulaText[]): PlainRow {
  const plain = plainRow(json)
  if (plain && !bufferOf(json).includes(LIKE_FORMULA)) return plain
  const row = parseRowBytes(json)
  for (const [column, text] of row.entries())
    if (typeof text === 'string' && text.startsWith('=')) found.push({ row: number, column, text })
  return { columns: row.length, filled: filledCells(row) }
}

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength)

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
