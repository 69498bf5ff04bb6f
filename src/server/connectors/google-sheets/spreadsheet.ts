import { OriginFailure } from '../connector.ts'
import type { Spreadsheet, Tab } from './client/replies.ts'

/** A tab that has a grid. */
export type GridTab = Tab & { grid: NonNullable<Tab['grid']> }

/**
 * How a task refers to a tab: by id once a run has seen it, before that by title. A blank title means the first
 * visible tab.
 */
export type TabName = { sheet_id: number | null; sheet_name: string }

/** Converts the `place` of a table reference, which is a tab id as text. */
export const sheetIdOf = (place: string | null): number | null => (place === null ? null : Number(place))

/** ‘Products’ in ‘Catalogue master’. */
export const titleOf = (spreadsheet: Spreadsheet, tabTitle: string) =>
  `‘${tabTitle}’ in ‘${spreadsheet.title}’`

const comparedTitle = (title: string) => title.normalize('NFC').toLowerCase()
const sameTitle = (one: string, other: string) => comparedTitle(one) === comparedTitle(other)

/**
 * Finds the tab, with a warning if it was renamed; null if there is none. Throws OriginFailure for a tab without a
 * grid.
 */
export function findTab(
  spreadsheet: Spreadsheet,
  { sheet_id, sheet_name }: TabName,
): { tab: GridTab; warning: string | null } | null {
  const { tabs } = spreadsheet
  const bound = tabs.find((tab) => tab.sheet_id === sheet_id)
  const named =
    sheet_name === ''
      ? tabs.find((tab) => !tab.hidden && tab.grid)
      : // Google keeps titles unique whatever their case.
        (tabs.find((tab) => tab.title === sheet_name) ?? tabs.find((tab) => sameTitle(tab.title, sheet_name)))
  const tab = bound ?? named
  if (!tab) return null
  const { grid } = tab
  if (!grid) throw new OriginFailure('invalid', `The tab ${titleOf(spreadsheet, tab.title)} has no cells.`)
  return { tab: { ...tab, grid }, warning: renamed() }

  function renamed(): string | null {
    if (!bound || sheet_name === '' || sameTitle(bound.title, sheet_name)) return null
    return `The tab ‘${sheet_name}’ in ‘${spreadsheet.title}’ is called ‘${bound.title}’ now. It was followed.`
  }
}

/** Cells of all tabs except some. Google limits the total. */
export function cellsBeside(spreadsheet: Spreadsheet, sheetIds: readonly (number | null)[]): number {
  return spreadsheet.tabs
    .filter(({ sheet_id }) => !sheetIds.includes(sheet_id))
    .reduce((cells, { grid }) => cells + (grid ? grid.rows * grid.columns : 0), 0)
}

export const hasTab = (spreadsheet: Spreadsheet, sheetId: number) =>
  spreadsheet.tabs.some((tab) => tab.sheet_id === sheetId)
