import type { CellsBeside } from '../../../../contract/plans/calls.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { NumberedCells } from '../../../connectors/connector.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import { alignCells, alignColumns } from '../../../plans/align-columns.ts'
import { leavingRows } from '../../../plans/leaving-rows.ts'
import type { TwoTables } from '../../../plans/row-changes.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import { textsOfRows } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { selfChangingColumns } from '../definition.ts'
import { keyOfRows } from '../key-of-rows.ts'
import type { ReadTables } from '../read/read-tables.ts'
import { writtenRows } from '../read/source-copy.ts'

/** Columns that a plan names. */
const MAX_COLUMNS = 100

/** Up to this many differing rows, it costs less to find those that leave than to read beside them. */
const MAX_MATCHED_FIRST = 5_000

/** A cell that would lose its row: its value and address, and what identifies the rows beside it before and after; null: no row. */
export type BesideExample = { value: string; address: string; before: string | null; after: string | null }

/** Cells that would lose their rows, and the first of them. */
export type FoundBeside = CellsBeside & { example: BesideExample }

/**
 * Finds constants beside or between the task's columns in rows that leave their place. A run does not write there, so that such a cell, like a
 * note of an operator, ends up beside another row. Null: there is none. Throws OriginFailure.
 */
export async function findCellsBeside(
  attempt: CopyAttempt,
  tables: ReadTables,
  comparison: Comparison,
): Promise<FoundBeside | null> {
  const { context, definition } = attempt
  const { target, copy, owned_columns, matched } = tables
  const { difference, before } = comparison
  if (definition.write_mode !== 'replace' || !target.readBeside || !before) return null
  if (difference.rows.size === 0 || difference.target_rows <= 1) return null
  await context.progress({ phase: 'Looking for cells beside the table' })
  const width = Math.max(copy.columns, owned_columns)
  // Where columns are found by their headers, those of other editors may stand before or between them.
  const own = matched?.written.columns ?? Array.from({ length: width }, (_, column) => column)
  const others = Array.from({ length: width }, (_, column) => column).filter(
    (column) => !own.includes(column),
  )
  const both = {
    former: {
      id: await before.complete(difference, copy),
      row_count: Math.max(0, difference.target_rows - 1),
    },
    wanted: writtenRows(copy),
    differing: difference.rows,
    key_column: keyOfRows(definition, copy.header),
    formats: copy.formats,
    formerColumns: alignColumns(difference.target_header, copy.header),
    ignored: [...selfChangingColumns(definition, copy.header), ...others],
    first_column: own[0] ?? 0,
  }
  const findLeaving = () => leavingRows(context.db, both, async () => void (await context.progress({})))
  const isMatchedFirst = difference.rows.size <= MAX_MATCHED_FIRST
  const considered = isMatchedFirst ? await findLeaving() : difference.rows
  const first = others[0] ?? width
  const { header, beside } = await readBeside(
    attempt,
    target.readBeside(first, considered, { header: true }),
    {
      rows: considered,
      isOwn: (column) => own.includes(first + column),
    },
  )
  if (beside.length === 0) return null
  const leaving = isMatchedFirst ? considered : await findLeaving()
  const found = beside.filter(({ row }) => leaving.has(row))
  const [example] = found
  if (!example) return null
  const filled = found.map(({ cells }) => cells.flatMap((value, column) => (value === null ? [] : column)))
  const columns = new Set(filled.flat())
  const named = [...columns].sort((one, other) => one - other).slice(0, MAX_COLUMNS)
  const [column = 0] = filled[0] ?? []
  return {
    cells: filled.reduce((sum, { length }) => sum + length, 0),
    rows: found.length,
    columns: named.map((one) => ({
      column: target.columnName(first + one),
      header: String(header[one] ?? ''),
    })),
    example: {
      value: String(example.cells[column] ?? ''),
      address: target.address(example.row, first + column),
      ...(await rowsBeside(attempt, both, example.row)),
    },
  }
}

/** The header row and the cells of other editors beside these rows, where there are any. Columns count from the first one that is read. */
async function readBeside(
  { context }: CopyAttempt,
  read: AsyncIterable<NumberedCells> | null,
  { rows, isOwn }: { rows: RowSet; isOwn: (column: number) => boolean },
): Promise<{ header: Row; beside: NumberedCells[] }> {
  let header: Row = []
  const beside: NumberedCells[] = []
  for await (const found of read ?? []) {
    if (found.row === 0) header = found.cells
    else if (rows.has(found.row)) {
      const cells = found.cells.map((cell, column) => (isOwn(column) ? null : cell))
      if (cells.some((cell) => cell !== null)) beside.push({ row: found.row, cells })
    }
    await context.progress({})
  }
  return { header, beside }
}

/** The first cells in which the rows of both tables in a place differ; null: there is no row. */
async function rowsBeside(
  { context: { db } }: CopyAttempt,
  { former, wanted, formerColumns = null }: TwoTables,
  row: number,
): Promise<Pick<BesideExample, 'before' | 'after'>> {
  const read = async (id: number) => parseRow((await textsOfRows(db, id, [row])).get(row) ?? '[]')
  const [one, other] = [
    alignCells(await read(former.id), formerColumns),
    row > wanted.row_count ? [] : await read(wanted.id),
  ]
  const column = one.findIndex((cell, index) => cell !== null && cell !== (other[index] ?? null))
  const text = (cells: Row) => {
    const cell = cells[column] ?? cells.find((value) => value !== null)
    return cell === undefined || cell === null ? null : String(cell)
  }
  return { before: text(one), after: text(other) }
}
