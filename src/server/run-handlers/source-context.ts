import type { AllowedAccounts } from '../connectors/google-sheets/client/accounts.ts'
import type { GoogleSession } from '../connectors/google-sheets/client/session.ts'
import type { Google } from '../connectors/google-sheets/google.ts'
import type { ReferenceContext } from '../connectors/table-provider.ts'
import type { RunContext } from '../engine/types.ts'

/** Whose accounts runs may use. */
export type CredentialProvider = Google

/** Requests that all sessions of a run have made. */
export type Requests = { read: number; write: number }

/** What a run lends to the sources that it opens: its lease, its accounts, and its log, where each reason to wait is logged once. */
export function sourceContext(
  google: CredentialProvider,
  context: RunContext,
  {
    chunk_size,
    max_rows,
    made,
    ...accounts
  }: AllowedAccounts & { chunk_size: number; max_rows: number; made?: Requests },
): ReferenceContext & { accountsUsed: () => string } {
  const log = logOnce(context)
  let session: GoogleSession | undefined
  // Source and target of a run are opened at the same time, and share it.
  let opening: Promise<GoogleSession> | undefined
  const lent = {
    signal: context.signal,
    beforeRequest: context.assertLease,
    onRetry: (reason: string) => log(`${reason} Trying again.`),
  }
  return {
    ...lent,
    chunk_size,
    max_rows,
    onWait: context.wait,
    accountsUsed: () => session?.used.join(', ') ?? '',
    google: () => {
      opening ??= open()
      return opening
    },
  }

  async function open(): Promise<GoogleSession> {
    session = google.session({
      accounts: await google.accountsFor(accounts),
      ...lent,
      label: `run ${context.run.id}`,
      ...(made && { made }),
      onWait: async (wait) => {
        if (wait.for === 'backoff') return context.wait(wait)
        await log('Google’s quota of requests a minute is used up. The run goes on as it becomes free.')
        return context.wait({ ...wait, service: 'Google' })
      },
    })
    return session
  }
}

function logOnce(context: RunContext): (sentence: string) => Promise<void> {
  const logged = new Set<string>()
  return async (sentence) => {
    if (logged.has(sentence)) return
    logged.add(sentence)
    await context.log('INFO', sentence)
  }
}
