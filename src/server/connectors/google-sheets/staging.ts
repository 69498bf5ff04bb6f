import type { sheets_v4 } from '@googleapis/sheets'
import { OriginFailure } from '../connector.ts'
import { batchUpdate, getSpreadsheet } from './api.ts'
import { Backoff } from './backoff.ts'
import type { Spreadsheet } from './replies.ts'
import { type GoogleSession, pauseFor, UncertainOutcome } from './session.ts'

/** Title of the hidden tab with this id; a person who finds one learns whose it is. */
export const stagingTitle = (id: number) => `Rowferry ${id} (temporary)`

const hasTab = (spreadsheet: Spreadsheet, id: number) => spreadsheet.tabs.some((tab) => tab.sheet_id === id)

/**
 * Applies requests whose effect can be seen in the spreadsheet's tabs, until `done` says that they took effect.
 * `requestsFor` is asked again after an answer that did not come, or a refusal because the tabs were others than
 * thought. Answers the spreadsheet as last seen (null: it was never asked for).
 */
export async function settle(
  session: GoogleSession,
  spreadsheetId: string,
  options: {
    requestsFor: (seen: Spreadsheet | null) => sheets_v4.Schema$Request[]
    done: (seen: Spreadsheet) => boolean
    signal?: AbortSignal
  },
): Promise<Spreadsheet | null> {
  const { requestsFor, done, signal = session.caller.signal } = options
  const backoff = new Backoff(session.caller.backoff ?? session.settings.backoff)
  let seen: Spreadsheet | null = null
  let refused = false
  for (;;) {
    const requests = requestsFor(seen)
    if (requests.length === 0) return seen
    try {
      await batchUpdate(session, spreadsheetId, requests, signal)
      return seen
    } catch (error) {
      if (error instanceof UncertainOutcome) {
        const pause = backoff.next()
        if (pause === null) throw new OriginFailure('unavailable', error.message, { cause: error })
        await pauseFor(pause, signal)
      } else if (!(error instanceof OriginFailure) || refused || !isAboutTabs(error)) {
        throw error
      } else {
        refused = true
      }
      seen = await getSpreadsheet(session, spreadsheetId, signal)
      if (done(seen)) return seen
    }
  }
}

const isAboutTabs = (failure: OriginFailure) => failure.kind === 'tab_gone' || failure.kind === 'invalid'

/** Creates the hidden tab `id`. Safe to repeat. */
export async function openStaging(
  session: GoogleSession,
  spreadsheetId: string,
  tab: { id: number; rows: number; columns: number },
): Promise<void> {
  const gridProperties = { rowCount: tab.rows, columnCount: tab.columns }
  const properties = { sheetId: tab.id, title: stagingTitle(tab.id), hidden: true, gridProperties }
  await settle(session, spreadsheetId, {
    requestsFor: () => [{ addSheet: { properties } }],
    done: (seen) => hasTab(seen, tab.id),
  })
}

/** Removes those of the tabs that are there. Safe to repeat. */
export async function removeStaging(
  session: GoogleSession,
  spreadsheetId: string,
  ids: number[],
): Promise<void> {
  const known = await getSpreadsheet(session, spreadsheetId)
  await settle(session, spreadsheetId, {
    requestsFor: (seen) => removals(seen ?? known, ids),
    done: (seen) => !ids.some((id) => hasTab(seen, id)),
  })
}

const removals = (spreadsheet: Spreadsheet, ids: number[]): sheets_v4.Schema$Request[] =>
  ids.filter((id) => hasTab(spreadsheet, id)).map((sheetId) => ({ deleteSheet: { sheetId } }))
