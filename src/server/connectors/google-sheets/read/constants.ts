import type { Row } from '../../../../contract/tables.ts'
import type { NumberedCells } from '../../connector.ts'
import { type Area, a1Range } from '../a1.ts'
import { getGrid } from '../client/api.ts'
import { constantsFields } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import { constantsOf } from './grid-rows.ts'
import { GRID_DEPTH, RowSplitter } from './row-splitter.ts'

/** Cells per request. Blank cells take almost no bytes of the response. */
const CELLS_PER_READ = 2_500_000

/** Rows and columns to read, counted from 0 in the tab. */
type Block = { spreadsheet_id: string; title: string; area: Required<Area> }

/**
 * Reads the rows of a block that hold constants, in order; rows count from its first one. Formulas, and cells that an array formula
 * fills, are blank. Throws OriginFailure.
 */
export async function* readConstants(session: GoogleSession, block: Block): AsyncGenerator<NumberedCells> {
  const { startRow, endRow, ...columns } = block.area
  const size = Math.max(1, Math.floor(CELLS_PER_READ / (columns.endColumn - columns.startColumn)))
  for (let first = startRow; first < endRow; first += size) {
    const area = { startRow: first, endRow: Math.min(endRow, first + size), ...columns }
    for (const { row, cells } of await readBlock(session, { ...block, area }))
      yield { row: row + first - startRow, cells }
  }
}

function readBlock(session: GoogleSession, { spreadsheet_id, title, area }: Block): Promise<NumberedCells[]> {
  const wanted = { spreadsheet_id, ranges: [a1Range(title, area)], fields: constantsFields }
  return getGrid(session, { ...wanted, unanswered: 'repeat' }, async (body) => {
    const found: NumberedCells[] = []
    const splitter = new RowSplitter(GRID_DEPTH)
    let row = 0
    const add = (json: Buffer) => {
      const cells: Row = constantsOf(json)
      if (cells.some((cell) => cell !== null)) found.push({ row, cells })
      row += 1
    }
    for await (const piece of body) splitter.feed(piece, { add })
    // Throws if the response was cut off.
    JSON.parse(splitter.frame)
    return found
  })
}
