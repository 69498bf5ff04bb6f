import type { sheets_v4 } from '@googleapis/sheets'
import { Backoff, pauseFor } from '../../backoff.ts'
import { OriginFailure } from '../../connector.ts'
import { batchUpdate, getSpreadsheet } from '../client/api.ts'
import { applyOnce } from '../client/apply-once.ts'
import type { Spreadsheet, Tab } from '../client/replies.ts'
import { AmbiguousOutcome, type GoogleSession } from '../client/session.ts'
import { hasTab } from '../spreadsheet.ts'
import { addTabAndReadHeaders, type HeaderRow, type SeenHeaders } from '../write/header-row.ts'

/** Owner of a staging tab: installation and run. */
export type TabOwner = { installation: string; run_id: number }

/** Title of a staging tab, which shows its owner to people. */
const stagingTabTitle = ({ installation, run_id }: TabOwner, id: number) =>
  `Rowferry ${installation} run ${run_id} (temporary ${id})`

/** The run that a staging tab belongs to; null if it is not this installation's or only has such a title. */
export function runOfTab({ title, hidden, sheet_id }: Tab, installation: string): number | null {
  const run_id = Number(/^Rowferry \w+ run (\d{1,10}) /.exec(title)?.[1])
  return hidden && title === stagingTabTitle({ installation, run_id }, sheet_id) ? run_id : null
}

/**
 * Creates a staging tab and returns its id and the spreadsheet afterwards. `nextId` is called for each attempt and
 * records the id: a creation without a clear response may still be applied, so its id is never reused. `seed`: cells
 * of another tab to copy into it, unless that has a filter by now; `headers`: header rows to read in the response.
 * Google may refuse either.
 */
export async function addStagingTab(
  session: GoogleSession,
  spreadsheetId: string,
  { owner, nextId, size, seed, headers }: NewStagingTab,
): Promise<{ id: number; seeded: boolean; spreadsheet: Spreadsheet; seen: SeenHeaders | null }> {
  const backoff = new Backoff(session.caller.backoff ?? session.settings.backoff)
  let refused = false
  for (;;) {
    const id = await nextId()
    const gridProperties = { rowCount: size.rows, columnCount: size.columns }
    const properties = { sheetId: id, title: stagingTabTitle(owner, id), hidden: true, gridProperties }
    const seeded = seed !== null && !refused
    const fill = seeded ? [copyValues(seed, id)] : []
    let failure = new OriginFailure('unavailable', 'Google answered without having created the staging tab.')
    try {
      const requests = [{ addSheet: { properties } }, ...fill]
      const seen =
        headers.length > 0 && !refused
          ? await addTabAndReadHeaders(session, spreadsheetId, requests, headers)
          : null
      const spreadsheet = seen?.spreadsheet ?? (await batchUpdate(session, spreadsheetId, requests))
      const isWrong = seeded && isFiltered(spreadsheet, seed)
      if (hasTab(spreadsheet, id) && !isWrong) return { id, seeded, spreadsheet, seen }
      if (isWrong) {
        refused = true
        continue
      }
    } catch (error) {
      // Either the request was applied twice, or the cells of `seed` or `headers` have moved.
      const twice = isAboutPlaces(error) && !refused
      if (!twice && !(error instanceof AmbiguousOutcome)) throw error
      if (twice) refused = true
      failure = new OriginFailure('unavailable', error.message, { cause: error })
    }
    const pause = backoff.next()
    if (pause === null) throw failure
    await pauseFor(pause, session.caller.signal)
  }
}

/** Whether a tab has a filter. Copying omits the rows that it hides and moves those below up. */
const isFiltered = ({ tabs }: Spreadsheet, { sheetId }: Area) =>
  tabs.some(({ sheet_id, filter }) => sheet_id === sheetId && filter !== undefined)

const isAboutPlaces = (error: unknown): error is OriginFailure =>
  error instanceof OriginFailure && (error.kind === 'invalid' || error.kind === 'tab_gone')

type NewStagingTab = {
  owner: TabOwner
  nextId: () => Promise<number>
  size: TabSize
  seed: Area | null
  headers: readonly HeaderRow[]
}

/** Copies an area's values to a tab's upper left corner. */
const copyValues = (source: Area, sheetId: number): sheets_v4.Schema$Request => ({
  copyPaste: {
    source,
    destination: {
      sheetId,
      startRowIndex: 0,
      endRowIndex: source.endRowIndex - source.startRowIndex,
      startColumnIndex: 0,
      endColumnIndex: source.endColumnIndex - source.startColumnIndex,
    },
    pasteType: 'PASTE_VALUES',
  },
})

/** Cells of a tab. */
type Area = Required<Record<keyof sheets_v4.Schema$GridRange, number>>

export type TabSize = { rows: number; columns: number }

/**
 * The request that makes a staging tab large enough; none if it is. It may be resized freely, because only its run
 * uses it.
 */
export function growRequests(
  { sheet_id: sheetId, grid = { rows: 0, columns: 0 } }: Tab,
  { rows, columns }: TabSize,
): sheets_v4.Schema$Request[] {
  if (grid.rows >= rows && grid.columns >= columns) return []
  const gridProperties = {
    rowCount: Math.max(grid.rows, rows),
    columnCount: Math.max(grid.columns, columns),
  }
  const fields = 'gridProperties(rowCount,columnCount)'
  return [{ updateSheetProperties: { properties: { sheetId, gridProperties }, fields } }]
}

/** Deletes those tabs that exist; returns when they are seen to be gone. Safe to repeat. */
export async function removeTabs(
  session: GoogleSession,
  spreadsheetId: string,
  ids: number[],
): Promise<void> {
  let spreadsheet = await getSpreadsheet(session, spreadsheetId)
  await applyOnce(session, spreadsheetId, {
    requests: () =>
      ids.filter((id) => hasTab(spreadsheet, id)).map((sheetId) => ({ deleteSheet: { sheetId } })),
    onSpreadsheet: (now) => {
      spreadsheet = now
    },
  })
}
