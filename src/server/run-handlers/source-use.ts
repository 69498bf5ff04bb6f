import type { AllowedAccounts } from '../connectors/google-sheets/accounts.ts'
import type { Google } from '../connectors/google-sheets/google.ts'
import type { GoogleSession } from '../connectors/google-sheets/session.ts'
import type { SourceUse } from '../connectors/registry.ts'
import type { RunContext } from '../engine/types.ts'

/** Requests to Google that all sessions of a run have made. */
export type Requests = { read: number; write: number }

/** What a run lends to the sources that it opens: its lease, its accounts, and its log, where each reason to wait is told once. */
export function sourceUse(
  google: Google,
  context: RunContext,
  { chunk_size, made, ...accounts }: AllowedAccounts & { chunk_size: number; made?: Requests },
): SourceUse & { accountsUsed: () => string } {
  const told = tellOnce(context)
  let session: GoogleSession | undefined
  return {
    chunk_size,
    accountsUsed: () => session?.used.join(', ') ?? '',
    google: async () => {
      session ??= google.session({
        accounts: await google.accountsFor(accounts),
        signal: context.signal,
        label: `run ${context.run.id}`,
        ...(made && { made }),
        beforeRequest: context.assertLease,
        onRetry: (reason) => told(`${reason} Trying again.`),
        onWait: async (wait) => {
          if (wait.for === 'backoff') return context.wait(wait)
          await told('Google’s quota of requests a minute is used up. The run goes on as it becomes free.')
          return context.wait({ ...wait, service: 'Google' })
        },
      })
      return session
    },
  }
}

function tellOnce(context: RunContext): (sentence: string) => Promise<void> {
  const told = new Set<string>()
  return async (sentence) => {
    if (told.has(sentence)) return
    told.add(sentence)
    await context.log('INFO', sentence)
  }
}
