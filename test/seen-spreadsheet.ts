import type { sheets_v4 } from '@googleapis/sheets'
import type { Spreadsheets } from './spreadsheets.ts'

const FIELDS =
  'properties.title,namedRanges,sheets(properties(sheetId,title,hidden),merges,basicFilter,filterViews,protectedRanges,data(rowData.values(userEnteredValue,userEnteredFormat,note,dataValidation),rowMetadata.hiddenByUser,columnMetadata.hiddenByUser))'

/** What a task owns: columns of a tab, from its header row (counted from 1) to the bottom. */
export type Owned = { sheet_id: number; title: string; start_row: number; columns: number }

/** A tab as a person sees it. */
export type SeenTab = {
  title: string
  /** All that there is beside values in what the task owns, or would own if this were its tab. */
  others: object
  filter: object | undefined
  /** Those values. */
  table: unknown[][]
}

/** A spreadsheet with all that a person can tell of it, without hidden tabs of ours. */
export type SeenSpreadsheet = {
  others: object
  tabs: SeenTab[]
  target: SeenTab | undefined
  left_over: string[]
}

/** Looks at a whole spreadsheet. A target tab that was renamed is known by its id, unless another has its title now. */
export async function seenSpreadsheet(
  person: Spreadsheets,
  spreadsheetId: string,
  owned: Owned,
): Promise<SeenSpreadsheet> {
  const { data } = await person.api.spreadsheets.get({ spreadsheetId, includeGridData: true, fields: FIELDS })
  const { sheets = [], properties, namedRanges } = data
  const isOurs = (sheet: sheets_v4.Schema$Sheet) => titleOf(sheet).startsWith('Rowferry ')
  const shown = sheets.filter((sheet) => !isOurs(sheet))
  const target =
    shown.find((sheet) => titleOf(sheet) === owned.title) ??
    shown.find((sheet) => sheet.properties?.sheetId === owned.sheet_id)
  const tabs = shown.map((sheet) => seenTab(sheet, owned))
  return {
    others: { title: properties?.title, namedRanges },
    tabs,
    target: tabs.find(({ title }) => target !== undefined && title === titleOf(target)),
    left_over: sheets.filter(isOurs).map(titleOf),
  }
}

function seenTab({ data, basicFilter, ...rest }: sheets_v4.Schema$Sheet, owned: Owned): SeenTab {
  const [grid] = data ?? []
  const table: unknown[][] = []
  const cells: Record<string, object> = {}
  for (const [row, { values }] of (grid?.rowData ?? []).entries()) {
    for (const [column, { userEnteredValue, ...look }] of (values ?? []).entries()) {
      const isOwned = row >= owned.start_row - 1 && column < owned.columns
      const value = Object.values(userEnteredValue ?? {})[0]
      if (isOwned && value !== undefined) {
        const place = row - owned.start_row + 1
        table[place] = Object.assign(table[place] ?? [], { [column]: value })
      }
      const kept = isOwned ? look : { ...look, value }
      if (Object.values(kept).some((part) => part !== undefined)) cells[`R${row + 1}C${column + 1}`] = kept
    }
  }
  const hidden = { rows: hiddenLines(grid?.rowMetadata), columns: hiddenLines(grid?.columnMetadata) }
  return { title: titleOf(rest), others: { ...rest, hidden, cells }, filter: basicFilter, table }
}

const titleOf = ({ properties }: sheets_v4.Schema$Sheet) => properties?.title ?? ''

const hiddenLines = (lines: sheets_v4.Schema$DimensionProperties[] = []) =>
  lines.flatMap(({ hiddenByUser }, index) => (hiddenByUser ? [index] : []))
