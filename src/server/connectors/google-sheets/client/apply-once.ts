import { Backoff, pauseFor } from '../../backoff.ts'
import { OriginFailure } from '../../connector.ts'
import { type BatchRequest, batchUpdate, getSpreadsheet } from './api.ts'
import type { Spreadsheet } from './replies.ts'
import { AmbiguousOutcome, type GoogleSession } from './session.ts'

type Batch = {
  /**
   * The requests that are still needed for the last known state; none when done. `refused`: Google has refused them
   * once.
   */
  requests: (refused: boolean) => BatchRequest[]
  /** Called with the spreadsheet after each attempt. */
  onSpreadsheet: (spreadsheet: Spreadsheet) => void
  /** Replaces the caller's signal. */
  signal?: AbortSignal
  /** Sends the requests if their response is needed; returns the spreadsheet. */
  send?: (requests: BatchRequest[]) => Promise<Spreadsheet>
}

/**
 * Applies a batch until the spreadsheet shows its effect, because a response may be lost or wrong. Throws
 * OriginFailure when the batch is refused a second time.
 */
export async function applyOnce(
  session: GoogleSession,
  spreadsheetId: string,
  {
    requests,
    onSpreadsheet,
    signal = session.caller.signal,
    send = (batch) => batchUpdate(session, spreadsheetId, batch, signal),
  }: Batch,
): Promise<void> {
  const backoff = new Backoff(session.caller.backoff ?? session.settings.backoff)
  const refetch = async () => onSpreadsheet(await getSpreadsheet(session, spreadsheetId, signal))
  let refused = false
  for (let batch = requests(false); batch.length > 0; batch = requests(refused)) {
    let failure = new OriginFailure('unavailable', 'Google answered without having applied the requests.')
    try {
      onSpreadsheet(await send(batch))
      if (requests(refused).length === 0) return
    } catch (error) {
      if (isAboutTabs(error) && !refused) {
        refused = true
        await refetch()
        continue
      }
      if (!(error instanceof AmbiguousOutcome)) throw error
      failure = new OriginFailure('unavailable', error.message, { cause: error })
    }
    const pause = backoff.next()
    if (pause === null) throw failure
    await pauseFor(pause, signal)
    await refetch()
  }
}

const isAboutTabs = (error: unknown) =>
  error instanceof OriginFailure && (error.kind === 'tab_gone' || error.kind === 'invalid')
