import { setTimeout as pause } from 'node:timers/promises'
import { cliMessages as messages } from '../contract/cli/client-messages.ts'
import { Refused } from './client.ts'
import type { Context } from './command.ts'

const AGAIN_MS = 1_000
/** No answer at all, and what stands before a server that is away or starting says in its place. */
const AWAY = [0, 502, 503, 504]

/**
 * Makes a call that changes nothing again and again while the server is away, since what is waited for goes on without it. Throws its
 * Refused once that has lasted for the context's `patience_ms`, or the signal's reason.
 */
export async function patiently<T>(
  { signal, err, patience_ms }: Pick<Context, 'signal' | 'err' | 'patience_ms'>,
  call: () => Promise<T>,
): Promise<T> {
  const began = performance.now()
  for (let tries = 1; ; tries += 1)
    try {
      return await call()
    } catch (error) {
      const passes = error instanceof Refused && AWAY.includes(error.status)
      if (!passes || performance.now() - began >= patience_ms) throw error
      if (tries === 1) err(`${messages.trying_again(error.message)}\n`)
      await pause(Math.min(AGAIN_MS, patience_ms), undefined, { signal })
    }
}
