import { OriginFailure } from '../connectors/connector.ts'
import type { Google, TaskAccounts } from '../connectors/google-sheets/google.ts'
import { RunFailure } from '../engine/types.ts'
import type { Trx } from '../platform/db.ts'

const withLink = (sentence: string, reconnect_url: string) => `${sentence} Reconnect: ${reconnect_url}`

/** Turns an OriginFailure into the RunFailure that ends the run; returns other errors unchanged. `reconnect_url`: the page where a user renews access. */
export function runFailure(error: unknown, reconnect_url: string): unknown {
  if (!(error instanceof OriginFailure)) return error
  const retryable = error.kind === 'unavailable' || error.kind === 'tab_gone'
  const message = error.kind === 'reconnect' ? withLink(error.message, reconnect_url) : error.message
  return new RunFailure(message, { retryable, cause: error })
}

/** The tasks whose accounts have all lost access, each with the reason that is shown instead of a run. */
export async function lostAccounts(
  trx: Trx,
  tasks: readonly TaskAccounts[],
  { google, reconnect_url }: { google: Google; reconnect_url: string },
): Promise<Map<number, string>> {
  const lost = await google.lostAccess(trx, tasks)
  return new Map([...lost].map(([id, reason]) => [id, withLink(reason, reconnect_url)]))
}
