import type { Area } from '../ranges/a1.ts'

/** GridRange of the API: an open side and the sheet id 0 do not appear. */
export function gridRangeJson(sheetId: number, area: Area) {
  const { startRow, endRow, startColumn, endColumn } = area
  return {
    ...(sheetId !== 0 && { sheetId }),
    ...(startRow !== undefined && { startRowIndex: startRow }),
    ...(endRow !== undefined && { endRowIndex: endRow }),
    ...(startColumn !== undefined && { startColumnIndex: startColumn }),
    ...(endColumn !== undefined && { endColumnIndex: endColumn }),
  }
}
