import { z } from 'zod'
import { CellValue } from '../../../../contract/tables.ts'
import { a1Range } from '../a1.ts'
import { getSpreadsheet, getValues } from '../client/api.ts'
import { type GoogleSession, readText } from '../client/session.ts'
import type { TabName } from '../spreadsheet.ts'
import { requireTab } from './source.ts'

const CellReply = z.object({ values: z.array(z.array(CellValue)).default([]) })

/** Reads one cell as it was entered. Row and column count from 0; a cell outside the grid is blank. Throws OriginFailure. */
export async function readCell(
  session: GoogleSession,
  { spreadsheet_id, row, column, ...name }: TabName & { spreadsheet_id: string; row: number; column: number },
): Promise<CellValue> {
  const { tab } = requireTab(await getSpreadsheet(session, spreadsheet_id), name)
  if (row >= tab.grid.rows || column >= tab.grid.columns) return null
  const area = { startRow: row, endRow: row + 1, startColumn: column, endColumn: column + 1 }
  const body = await getValues(session, spreadsheet_id, a1Range(tab.title, area), 'FORMULA')
  const { values } = CellReply.parse(JSON.parse(await readText(body)))
  const [[value = null] = []] = values
  return value === '' ? null : value
}
