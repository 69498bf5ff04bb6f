import { setTimeout as pause } from 'node:timers/promises'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { Refused } from './client.ts'
import type { Context } from './command.ts'

const RETRY_MS = 1_000
/** No reply, or a status of a proxy in front of a server that is down or starting. */
const UNAVAILABLE = [0, 502, 503, 504]

/**
 * Retries a call that changes nothing while the server is unavailable; the run continues meanwhile. Throws its Refused after
 * `retry_for_ms` of the context, or the signal's reason.
 */
export async function retryWhileUnavailable<T>(
  { signal, note, retry_for_ms }: Pick<Context, 'signal' | 'note' | 'retry_for_ms'>,
  call: () => Promise<T>,
): Promise<T> {
  const began = performance.now()
  for (let tries = 1; ; tries += 1)
    try {
      return await call()
    } catch (error) {
      const passes = error instanceof Refused && UNAVAILABLE.includes(error.status)
      if (!passes || performance.now() - began >= retry_for_ms) throw error
      if (tries === 1) note(messages.trying_again(error.message))
      await pause(Math.min(RETRY_MS, retry_for_ms), undefined, { signal })
    }
}
