import type { NumberFormat } from '../../../contract/tables.ts'
import type { FormatCell } from './replies.ts'

/** The format somebody gave the cell; one without a pattern follows the locale of the spreadsheet it is in. */
export function formatOf(cell: FormatCell | undefined): NumberFormat | null {
  const { type, pattern } = cell?.userEnteredFormat?.numberFormat ?? {}
  if (type === undefined) return null
  return pattern === undefined ? { type } : { type, pattern }
}
