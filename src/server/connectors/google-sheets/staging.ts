import type { sheets_v4 } from '@googleapis/sheets'
import { getSpreadsheet } from './api.ts'
import type { Spreadsheet } from './replies.ts'
import type { GoogleSession } from './session.ts'
import { settle } from './settle.ts'
import { hasTab } from './spreadsheet.ts'

/** Title of the hidden tab with this id; a person who finds one learns whose it is. */
export const stagingTitle = (id: number) => `Rowferry ${id} (temporary)`

/** Creates the hidden tab `id`. Safe to repeat. */
export async function openStaging(
  session: GoogleSession,
  spreadsheetId: string,
  tab: { id: number; rows: number; columns: number },
): Promise<void> {
  const gridProperties = { rowCount: tab.rows, columnCount: tab.columns }
  const properties = { sheetId: tab.id, title: stagingTitle(tab.id), hidden: true, gridProperties }
  let present = false
  await settle(session, spreadsheetId, {
    requests: () => [{ addSheet: { properties } }],
    look: (now) => {
      present = hasTab(now, tab.id)
    },
    done: () => present,
  })
}

/** Removes those of the tabs that are there. Safe to repeat. */
export async function removeStaging(
  session: GoogleSession,
  spreadsheetId: string,
  ids: number[],
): Promise<void> {
  let present: number[] = []
  const look = (now: Spreadsheet) => {
    present = ids.filter((id) => hasTab(now, id))
  }
  look(await getSpreadsheet(session, spreadsheetId))
  const requests = () => present.map((sheetId): sheets_v4.Schema$Request => ({ deleteSheet: { sheetId } }))
  await settle(session, spreadsheetId, { requests, look, done: () => present.length === 0 })
}
