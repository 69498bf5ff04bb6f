import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Logger } from '../../platform/log.ts'
import { repeatEvery } from '../repeat-every.ts'
import type { RunHandler } from '../types.ts'
import { type NextOccurrences, nextScan } from './next-scan.ts'
import { recordDue } from './record-due.ts'
import { startDue } from './start-due.ts'

// So that a minute has surely begun.
const AFTER_MS = 5
// What comes within so short a time is looked at together.
const GATHER_MS = 25
const TROUBLE_MS = 5_000
const BEAT_MS = 5_000
// Ten thousand tasks of one minute are started in less. What takes longer hangs, and that is no life.
const MAX_SCAN_INTERVAL_MS = 5 * 60_000

export type Clock = {
  /** Something may be due earlier than was known. */
  wake: () => void
  stop: () => Promise<void>
}

/**
 * Records and starts what is due, at the moment it is: sleeps until the next one, until it is woken, or until the check
 * interval is over, for what nobody told. Shows the scheduler's sign of life meanwhile.
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

  const look = async (): Promise<number> => {
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
      const pause = await look().catch((error: unknown) => {
        log.warn({ err: error }, 'The schedules could not be looked at; trying again')
        return TROUBLE_MS
      })
      looking_since = null
      if (!woken) await waited(pause, AbortSignal.any([sleep.signal, over.signal]))
      if (woken) await waited(GATHER_MS, over.signal)
    }
  }
  const running = run()
  const beating = repeatEvery(BEAT_MS, log, 'The scheduler could not say that it lives', async () => {
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

// An aborted wait is over all the same.
const waited = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined)
