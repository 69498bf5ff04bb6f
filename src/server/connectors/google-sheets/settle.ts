import type { sheets_v4 } from '@googleapis/sheets'
import { OriginFailure } from '../connector.ts'
import { batchUpdate, getSpreadsheet } from './api.ts'
import { Backoff } from './backoff.ts'
import type { Spreadsheet } from './replies.ts'
import { type GoogleSession, pauseFor, UncertainOutcome } from './session.ts'

type Settlement = {
  /** Made anew for each try; none means that there is nothing to do. */
  requests: () => sheets_v4.Schema$Request[]
  /** Sees the spreadsheet after an answer that did not come, or a refusal because it is not what it was thought to be. */
  look: (now: Spreadsheet) => void
  /** Whether, by what `look` saw, there is nothing more to do. */
  done: () => boolean
  /** In place of the caller's. */
  signal?: AbortSignal
}

/**
 * Applies requests, all or none, and finds out whether they were when Google does not say. `applied` is false when
 * that was found out by looking. Throws OriginFailure when they are refused a second time.
 */
export async function settle(
  session: GoogleSession,
  spreadsheetId: string,
  { requests, look, done, signal = session.caller.signal }: Settlement,
): Promise<{ applied: boolean }> {
  const backoff = new Backoff(session.caller.backoff ?? session.settings.backoff)
  let refused = false
  for (;;) {
    const batch = requests()
    if (batch.length === 0) return { applied: false }
    try {
      await batchUpdate(session, spreadsheetId, batch, signal)
      return { applied: true }
    } catch (error) {
      if (error instanceof UncertainOutcome) {
        const pause = backoff.next()
        if (pause === null) throw new OriginFailure('unavailable', error.message, { cause: error })
        await pauseFor(pause, signal)
      } else if (isAboutTabs(error) && !refused) {
        refused = true
      } else {
        throw error
      }
      look(await getSpreadsheet(session, spreadsheetId, signal))
      if (done()) return { applied: false }
    }
  }
}

function isAboutTabs(error: unknown): boolean {
  return error instanceof OriginFailure && (error.kind === 'tab_gone' || error.kind === 'invalid')
}
