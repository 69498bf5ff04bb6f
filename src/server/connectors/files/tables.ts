import { fileMessages } from '../../../contract/files/server-messages.ts'
import { OriginFailure } from '../connector.ts'
import type { TableReference } from '../table-provider.ts'
import { type CellArea, MAX_COLUMNS, MAX_ROWS } from './workbook/cell-area.ts'
import type { Workbook, WorkbookTab } from './workbook/workbook.ts'

/** Cells of a tab, from the header row on. `name`, `id`: of the tab, or of a table or named area in it. */
export type SheetTable = { name: string; id: string; tab: WorkbookTab; area: CellArea }

/**
 * Finds what a reference means: the tab with its id, else the tab with its name, else the table or the named area. A blank name means
 * the first visible tab. Throws OriginFailure.
 */
export function findTable(
  workbook: Workbook,
  { place, sheet_name, start_row }: Pick<TableReference, 'place' | 'sheet_name' | 'start_row'>,
): { table: SheetTable; warning: string | null } {
  const grids = workbook.tabs.filter(({ isGrid }) => isGrid)
  const named = findArea(workbook, grids, sheet_name)
  const byId = named ? undefined : grids.find(({ id }) => id === place)
  const first = sheet_name === '' ? grids.find(({ isHidden }) => !isHidden) : undefined
  const tab = byId ?? first ?? grids.find(({ name }) => isSameName(name, sheet_name))
  if (tab) {
    const area = { top: start_row - 1, left: 0, bottom: MAX_ROWS - 1, right: MAX_COLUMNS - 1 }
    const isRenamed = sheet_name !== '' && !isSameName(tab.name, sheet_name)
    return {
      table: { name: tab.name, id: tab.id, tab, area },
      warning: isRenamed ? fileMessages.tab_renamed(sheet_name, tab.name) : null,
    }
  }
  if (named) return { table: named, warning: null }
  throw new OriginFailure('not_found', fileMessages.tab_unknown(workbook.file, sheet_name))
}

/** A table without its totals row, or a named area, unless a tab has the same name. */
function findArea(
  { tables, names }: Workbook,
  grids: readonly WorkbookTab[],
  wanted: string,
): SheetTable | null {
  if (grids.some(({ name }) => isSameName(name, wanted))) return null
  const table = tables.find(({ name }) => isSameName(name, wanted))
  const name = names.find((one) => isSameName(one.name, wanted))
  const area = table ? withoutTotals(table) : (name?.area ?? null)
  const tab = grids.find((one) => one.name === (table?.tab ?? name?.tab))
  const known = table ?? name
  // Tabs have numbers as ids.
  return tab && area && known ? { name: known.name, id: `name ${known.name}`, tab, area } : null
}

const withoutTotals = ({ area, hasTotals }: Workbook['tables'][number]): CellArea =>
  hasTotals ? { ...area, bottom: area.bottom - 1 } : area

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()
