import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Logger } from '../../platform/log.ts'
import { repeatEvery } from '../repeat-every.ts'
import type { RunHandler } from '../types.ts'
import { type NextOccurrences, nextScan } from './next-scan.ts'
import { recordDue } from './record-due.ts'
import { startDue } from './start-due.ts'

// Ensures that the minute has started.
const AFTER_MS = 5
// Changes within this time are handled together.
const BATCH_WINDOW_MS = 25
const TROUBLE_MS = 5_000
const BEAT_MS = 5_000
// Starting ten thousand tasks takes less. A longer scan hangs, and must not be reported as alive.
const MAX_SCAN_INTERVAL_MS = 5 * 60_000

export type Clock = {
  /** A schedule may be due earlier than known. */
  wake: () => void
  stop: () => Promise<void>
}

/**
 * Records and starts what is due: sleeps until the next occurrence, a wake-up, or the end of the check interval in
 * case a notice was lost. Publishes the scheduler's heartbeat meanwhile.
 */
export function startClock(options: {
  db: Db
  handlers: readonly RunHandler[]
  log: Logger
  zone: string
}): Clock {
  const { db, log, zone } = options
  const over = new AbortController()
  let known: NextOccurrences = new Map()
  let sleep = new AbortController()
  let woken = false
  let looking_since: number | null = null

  const scan = async (): Promise<number> => {
    await recordDue(db, zone)
    await startDue(options, over.signal)
    const { occurrences, pause_ms } = await nextScan(db, zone, known)
    known = occurrences
    return pause_ms + AFTER_MS
  }
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      woken = false
      sleep = new AbortController()
      looking_since = performance.now()
      const pause = await scan().catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to scan the schedules; retrying')
        return TROUBLE_MS
      })
      looking_since = null
      if (!woken) await waited(pause, AbortSignal.any([sleep.signal, over.signal]))
      if (woken) await waited(BATCH_WINDOW_MS, over.signal)
    }
  }
  const running = run()
  const beating = repeatEvery(BEAT_MS, log, 'Failed to publish the scheduler’s heartbeat', async () => {
    if (looking_since === null || performance.now() - looking_since < MAX_SCAN_INTERVAL_MS) await beat(db)
  })
  return {
    wake: () => {
      woken = true
      sleep.abort()
    },
    stop: async () => {
      over.abort()
      await Promise.all([running, beating.stop()])
    },
  }
}

const beat = (db: Db) => db.updateTable('schedule_clock').set({ looked_at: sql<Date>`now()` }).execute()

// An abort ends the wait normally.
const waited = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined)
