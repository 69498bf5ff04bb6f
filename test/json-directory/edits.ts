import type { sheets_v4 } from '@googleapis/sheets'
import type { Cell } from './table-file.ts'

type Rows = Cell[][]
type Edit = { sheet_id: number; edit: (rows: Rows) => void }

/** What a colleague does to a spreadsheet, done to rows: rows and columns that are inserted, deleted or moved, and rows that are sorted. */
export function editOf(change: sheets_v4.Schema$Request): Edit {
  const { insertDimension, deleteDimension, moveDimension, sortRange } = change
  if (sortRange) {
    const [{ sortOrder = 'ASCENDING' } = {}] = sortRange.sortSpecs ?? []
    const sign = sortOrder === 'DESCENDING' ? -1 : 1
    return {
      sheet_id: sortRange.range?.sheetId ?? 0,
      edit: (rows) => void rows.sort(([one], [other]) => sign * String(one).localeCompare(String(other))),
    }
  }
  const range = (insertDimension ?? deleteDimension)?.range ?? moveDimension?.source
  const { sheetId, dimension, startIndex, endIndex } = range ?? {}
  if (sheetId == null || startIndex == null || endIndex == null)
    throw new Error(`A directory does not do that: ${JSON.stringify(change)}`)
  const count = endIndex - startIndex
  const shift = <T>(items: T[], blank: () => T) => {
    while (items.length < endIndex) items.push(blank())
    const removed = insertDimension ? [] : items.splice(startIndex, count)
    if (insertDimension) items.splice(startIndex, 0, ...Array.from({ length: count }, blank))
    if (!moveDimension) return
    const destination = moveDimension.destinationIndex ?? 0
    const place = destination > startIndex ? destination - count : destination
    while (items.length < place) items.push(blank())
    items.splice(place, 0, ...removed)
  }
  return {
    sheet_id: sheetId,
    edit: (rows) => {
      if (dimension === 'ROWS') shift(rows, () => [])
      else for (const row of rows) shift<Cell>(row, () => null)
    },
  }
}
