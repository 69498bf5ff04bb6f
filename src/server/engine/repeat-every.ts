import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../platform/log.ts'

/** Repeats `work` with a pause of `ms` in between; failures are logged. */
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
