import { setTimeout as delay } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Db } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { admit } from './admit.ts'

// What comes within so short a time is admitted together.
const GATHER_MS = 15
const BUSY_MS = 25
const TROUBLE_MS = 1_000
const WAITING_MS = 1_000
const IDLE_MS = 5_000

export type Admitter = {
  /** Something changed that may let a run start. Any number of calls while one admission goes on make one more. */
  wake: () => void
  stop: () => Promise<void>
}

/** Admits runs whenever it is woken, when a wait ends, and every few seconds for what no notice told. */
export function startAdmitter({ db, boss, log }: { db: Db; boss: PgBoss; log: Logger }): Admitter {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  const round = async (): Promise<number> => {
    for (;;) {
      again = false
      const began = performance.now()
      const admission = await admit(db, boss)
      if (admission.busy) return BUSY_MS
      // Where there are very many types, no more than half of the time goes into this.
      if (admission.changed > 0 || again) await delay(Math.max(GATHER_MS, performance.now() - began))
      else return Math.min(admission.next_in_ms ?? IDLE_MS, admission.waiting ? WAITING_MS : IDLE_MS)
    }
  }
  const wake = (): void => {
    again = true
    if (running || stopped) return
    clearTimeout(timer)
    running = round()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'Runs could not be admitted; trying again')
        return TROUBLE_MS
      })
      .then((pause) => {
        running = null
        if (!stopped) timer = setTimeout(wake, again ? Math.min(pause, BUSY_MS) : pause)
      })
  }
  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
