import type { sheets_v4 } from '@googleapis/sheets'
import { type Cell, put } from './table-file.ts'

type Rows = Cell[][]
type Edit = { sheet_id: number; edit: (rows: Rows) => void }

/** Translates a Sheets request of another editor to an edit of rows: set texts; insert, delete or move rows and columns; sort rows. */
export function editOf(change: sheets_v4.Schema$Request): Edit {
  const { insertDimension, deleteDimension, moveDimension, sortRange, updateCells } = change
  if (updateCells) return textsOf(updateCells)
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

function textsOf({ start, rows: written = [] }: sheets_v4.Schema$UpdateCellsRequest): Edit {
  const { sheetId, rowIndex, columnIndex } = start ?? {}
  return {
    sheet_id: sheetId ?? 0,
    edit: (rows) => {
      for (const [down, { values = [] }] of written.entries())
        for (const [right, { userEnteredValue }] of values.entries())
          put(rows, (rowIndex ?? 0) + down, (columnIndex ?? 0) + right, userEnteredValue?.stringValue ?? null)
    },
  }
}
