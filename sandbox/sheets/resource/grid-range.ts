import type { Area } from '../ranges/a1.ts'

/** GridRange of the API. Open sides and sheet id 0 are omitted. */
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
