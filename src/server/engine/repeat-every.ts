import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'

/** Does `work` now and then with a pause of `ms` after each time; a failure is logged and the next time comes. */
export function repeatEvery(
  ms: number,
  log: Logger,
  trouble: string,
  work: () => Promise<unknown>,
): { stop: () => Promise<void> } {
  const over = new AbortController()
  const repeat = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await work().catch((error: unknown) => log.warn({ err: error }, trouble))
      await delay(ms, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const done = repeat()
  return {
    stop: async () => {
      over.abort()
      await done
    },
  }
}
