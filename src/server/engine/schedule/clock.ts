import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../platform/log.ts'
import type { Db, Job } from '../types.ts'
import { recordDue } from './record-due.ts'
import { startDue } from './start-due.ts'

// The database's clock may be set, and another scheduler may have died over what it recorded.
const LONGEST_PAUSE_MS = 5_000
// So that a minute has surely begun.
const AFTER_MS = 5

/** Looks at the schedules at the beginning of every minute, and every few seconds for what is left to start. */
export function startClock(options: { db: Db; jobs: readonly Job[]; log: Logger; zone: string }): {
  stop: () => Promise<void>
} {
  const over = new AbortController()
  const look = async (): Promise<number> => {
    const to_next_minute = await recordDue(options.db, options.zone)
    await startDue(options, over.signal)
    return to_next_minute + AFTER_MS
  }
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const began = performance.now()
      const pause = await look().catch((error: unknown) => {
        options.log.warn({ err: error }, 'The schedules could not be looked at; trying again')
        return LONGEST_PAUSE_MS
      })
      const left = Math.min(pause, LONGEST_PAUSE_MS) - (performance.now() - began)
      await delay(Math.max(AFTER_MS, left), undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: async () => {
      over.abort()
      await running
    },
  }
}
