import type { NumberFormat } from '../src/contract/tables.ts'
import type { CopyWorld } from './copy-world.ts'
import type { Cell } from './spreadsheets.ts'

export const DATE: NumberFormat = { type: 'DATE', pattern: 'yyyy-mm-dd' }
export const PERCENT: NumberFormat = { type: 'PERCENT', pattern: '0.00%' }
export const EURO: NumberFormat = { type: 'CURRENCY', pattern: '[$€]#,##0.00' }
export const DOLLAR: NumberFormat = { type: 'CURRENCY', pattern: '[$$]#,##0.00' }

export type Shown = NumberFormat | null

/** Data rows whose second column has these formats. */
export type Mix = { rows: Cell[][]; formats: Shown[] }

export const DATES: Mix = {
  rows: Array.from({ length: 8 }, (_, n) => [`A${n}`, 45_000 + n]),
  formats: [DATE, DATE, null, DATE, DATE, DATE, PERCENT, DATE],
}

export const withHeader = (rows: Cell[][]): Cell[][] => [['Name', 'Value'], ...rows]

/** Gives cells of the first tab their formats; rows and columns count from 0. */
export async function setFormats(
  world: CopyWorld,
  id: string,
  formats: [row: number, column: number, Shown][],
): Promise<void> {
  await world.batch(
    id,
    ...formats.map(([startRowIndex, startColumnIndex, numberFormat]) => ({
      repeatCell: {
        range: {
          sheetId: 100,
          startRowIndex,
          endRowIndex: startRowIndex + 1,
          startColumnIndex,
          endColumnIndex: startColumnIndex + 1,
        },
        cell: numberFormat === null ? {} : { userEnteredFormat: { numberFormat } },
        fields: 'userEnteredFormat.numberFormat',
      },
    })),
  )
}

/** The formats of some cells of a column, such as B2:B5. */
export async function formatsOf(
  world: CopyWorld,
  id: string,
  range: string,
  count: number,
): Promise<Shown[]> {
  const { data } = await world.api.spreadsheets.get({
    spreadsheetId: id,
    ranges: [range],
    fields: 'sheets(data(rowData(values(userEnteredFormat(numberFormat)))))',
  })
  const rows = data.sheets?.[0]?.data?.[0]?.rowData ?? []
  return Array.from({ length: count }, (_, n) => {
    const { type, pattern } = rows[n]?.values?.[0]?.userEnteredFormat?.numberFormat ?? {}
    return type ? { type, ...(pattern && { pattern }) } : null
  })
}

/** A task that copies such a table, with rows of the user's above it; `shown` are the cells of the second column in its target. */
export async function mixed(world: CopyWorld, { rows, formats }: Mix, above: Cell[][] = []) {
  const source = await world.spreadsheet({ Products: [...above, ...withHeader(rows)] })
  const first = above.length + 1
  await setFormats(
    world,
    source,
    formats.map((format, n) => [first + n, 1, format]),
  )
  const target = await world.spreadsheet({ Shop: [] })
  const task = await world.task({ source_ss_id: source, target_ss_id: target, start_row: above.length + 1 })
  return { source, target, task, shown: `Shop!B${first + 1}:B${first + rows.length}` }
}
