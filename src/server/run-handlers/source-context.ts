import type { AllowedAccounts } from '../connectors/google-sheets/client/accounts.ts'
import type { GoogleSession } from '../connectors/google-sheets/client/session.ts'
import type { Google } from '../connectors/google-sheets/google.ts'
import type { ReferenceContext } from '../connectors/table-provider.ts'
import type { RunContext } from '../engine/types.ts'

/** Provides sessions for the Google accounts that runs may use. */
export type CredentialProvider = Google

/** Requests that the sessions of a run have made. */
export type Requests = { read: number; write: number }

/** What sources need of a run: its signal and lease, its Google accounts, and its log, which gets each reason to wait once. */
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
  // Source and target are opened concurrently and share one session.
  let opening: Promise<GoogleSession> | undefined
  const base = {
    signal: context.signal,
    beforeRequest: context.assertLease,
    onRetry: (reason: string) => log(`${reason} Trying again.`),
  }
  return {
    ...base,
    user_id: accounts.account_user_id,
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
      ...base,
      label: `run ${context.run.id}`,
      ...(made && { made }),
      onWait: async (wait) => {
        if (wait.for === 'backoff') return context.wait(wait)
        await log('Google’s per-minute request quota is used up. The run continues when quota is available.')
        return context.wait({ ...wait, service: 'Google' })
      },
    })
    return session
  }
}

function logOnce(context: RunContext): (message: string) => Promise<void> {
  const logged = new Set<string>()
  return async (message) => {
    if (logged.has(message)) return
    logged.add(message)
    await context.log('INFO', message)
  }
}
