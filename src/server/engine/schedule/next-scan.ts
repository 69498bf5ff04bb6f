import { sql } from 'kysely'
import { z } from 'zod'
import { limits } from '../../../contract/limits.ts'
import type { Db } from '../../platform/db.ts'
import { nextRun } from './cron.ts'
import { readSchedule } from './record-due.ts'

/** Key in `settings`: seconds after which schedulers scan the schedules even if nothing is known to be due. */
export const CHECK_INTERVAL = 'source_check_interval'

/** Parses the value of that setting. Throws ZodError. */
export const checkInterval = (value: unknown): number =>
  z
    .int()
    .min(1)
    .parse(value ?? limits.check_interval_default)

/** The next occurrence of each schedule by its text; null: never due again. */
export type NextOccurrences = ReadonlyMap<string, Date | null>

/**
 * The next occurrence after `since` of each time of day or cron expression. Values in `known` that are still in the
 * future are reused.
 */
export function nextOccurrences(
  texts: readonly string[],
  { since, zone, known }: { since: Date; zone: string; known: NextOccurrences },
): NextOccurrences {
  return new Map(
    texts.map((text) => [text, lying(known.get(text), since) ?? nextRunOf(text, { now: since, zone })]),
  )
}

const lying = (at: Date | null | undefined, since: Date) => (at && at > since ? at : null)

/**
 * The first occurrence after `now` of a time of day or cron expression; null if there is none, or the expression is
 * invalid.
 */
export function nextRunOf(text: string, clock: { now: Date; zone: string }): Date | null {
  const schedule = readSchedule(text)
  return schedule && nextRun(schedule, clock)
}

/** Milliseconds from `now` to the first of these occurrences, between 0 and `check_interval`. */
export function pauseUntil(occurrences: NextOccurrences, now: Date, check_interval: number): number {
  let pause = check_interval * 1000
  for (const at of occurrences.values()) if (at) pause = Math.min(pause, at.getTime() - now.getTime())
  return Math.max(0, pause)
}

/**
 * The next occurrences after the last scanned minute, and the time until the first by the database's clock. Includes
 * schedules whose tasks may be inactive.
 */
export async function nextScan(
  db: Db,
  zone: string,
  known: NextOccurrences,
): Promise<{ occurrences: NextOccurrences; pause_ms: number }> {
  const { rows } = await sql<{ now: Date; since: Date; check_interval: unknown; texts: string[] }>`
    select now() as now, scanned_until as since,
      (select value from settings where key = ${CHECK_INTERVAL}) as check_interval,
      array(
        select cron_schedule from task_types where cron_schedule is not null
        union select unnest(scheduled_times) from tasks
        union select unnest(scheduled_times) from run_all_schedules
      ) as texts
    from schedule_clock`.execute(db)
  const [row] = rows
  if (!row) throw new Error('The table schedule_clock has no row.')
  const occurrences = nextOccurrences(row.texts, { since: row.since, zone, known })
  return { occurrences, pause_ms: pauseUntil(occurrences, row.now, checkInterval(row.check_interval)) }
}
