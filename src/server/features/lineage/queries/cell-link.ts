import { lineageServerMessages as messages } from '../../../../contract/lineage/server-messages.ts'
import { NamedError } from '../../../platform/errors.ts'
import { letters } from '../../../snapshots/column-names.ts'

/** A cell that a link names. The row counts from 1, as in sheets, the column from 0. */
export type LinkedCell = {
  spreadsheet_id: string
  tab_id: string
  row: number
  column: number
  /** Set if the link is to more than this cell. */
  note: string | null
}

/** Address of a cell: B7. */
export const cellName = (row: number, column: number) => `${letters(column)}${row}`

const SPREADSHEET = /\/spreadsheets\/(?:u\/\d{1,3}\/)?d\/([A-Za-z0-9_-]{15,200})(?:\/|$)/
const A1 = /^([A-Z]{1,3})([1-9]\d{0,7})$/
const R1C1 = /^R([1-9]\d{0,7})C([1-9]\d{0,4})$/

/** Reads a link to a cell. Throws NamedError `invalid` with what is wrong with it. */
export function parseCellLink(link: string): LinkedCell {
  const url = URL.canParse(link) ? new URL(link) : null
  const spreadsheet_id = url && SPREADSHEET.exec(url.pathname)?.[1]
  if (!spreadsheet_id) throw refused(messages.no_link(link))
  // Google writes both into the fragment, and the tab also into the query.
  const parts = [new URLSearchParams(url.hash.slice(1)), url.searchParams]
  const part = (name: string) => parts.map((one) => one.get(name)).find((one) => one) ?? null
  const tab_id = part('gid')
  if (tab_id === null || !/^\d{1,10}$/.test(tab_id)) throw refused(messages.no_tab)
  const range = part('range')
  if (range === null) throw refused(part('rangeid') === null ? messages.no_range : messages.range_named)
  return { spreadsheet_id, tab_id: String(Number(tab_id)), ...firstCell(range) }
}

/** First cell of a range such as b7, $B$7, B7:C9, B:B, 7:7, R7C2 or Shop!B7. */
function firstCell(range: string): Pick<LinkedCell, 'row' | 'column' | 'note'> {
  const [first = '', ...others] = range
    .slice(range.lastIndexOf('!') + 1)
    .replaceAll(/[$\s]/g, '')
    .toUpperCase()
    .split(':')
  const isOne = others.length === 0 || (others.length === 1 && others[0] === first && A1.test(first))
  // A whole column begins in row 1, a whole row in column A.
  const whole = others.length > 0
  const cell = cellOf(first) ?? (whole ? (cellOf(`${first}1`) ?? cellOf(`A${first}`)) : null)
  if (cell === null || others.length > 1) throw refused(messages.range_invalid(range))
  return { ...cell, note: isOne ? null : messages.first_of(range, cellName(cell.row, cell.column)) }
}

function cellOf(text: string): { row: number; column: number } | null {
  const [, column, row] = A1.exec(text) ?? []
  if (column !== undefined) return { row: Number(row), column: columnIndex(column) }
  const [, r, c] = R1C1.exec(text) ?? []
  return r === undefined ? null : { row: Number(r), column: Number(c) - 1 }
}

const columnIndex = (name: string) =>
  [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

const refused = (message: string) => new NamedError('invalid', { message, field: 'link' })
