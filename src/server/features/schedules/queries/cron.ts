import type { BodyOf } from '../../../../contract/calls.ts'
import type { schedules } from '../../../../contract/schedules/calls.ts'
import { type CronSchedule, nextRuns, parseCron } from '../../../engine/schedule/cron.ts'
import { InvalidCron } from '../../../engine/schedule/cron-fields.ts'
import { describeCron } from '../../../engine/schedule/describe-cron.ts'
import type { Db } from '../../../platform/db.ts'
import { clockWarnings } from './clock-warnings.ts'
import { dayWarnings } from './day-warnings.ts'
import { gapWarnings } from './gap-warnings.ts'

const OCCURRENCES = 3

type Clock = { now: Date; zone: string }

/**
 * Validates a cron expression. A valid one is returned with a description, its next three occurrences and warnings, including
 * warnings from the runs of a type. Throws NamedError `type_gone` if the type does not exist.
 */
export async function validateCron(
  db: Db,
  { cron_expression, task_type_id }: BodyOf<typeof schedules.validateCron>,
  clock: Clock,
) {
  const parsed = readCron(cron_expression)
  const verdict = { cron_expression, time_zone: clock.zone, valid: parsed.ok }
  if (!parsed.ok)
    return { ...verdict, error_message: parsed.reason, next_run_times: [], words: null, warnings: [] }
  const gaps =
    task_type_id === undefined ? [] : await gapWarnings(db, parsed.schedule, task_type_id, clock.now)
  return {
    ...verdict,
    error_message: null,
    next_run_times: nextRuns(parsed.schedule, clock, OCCURRENCES).map((at) => at.toISOString()),
    words: describeCron(cron_expression),
    warnings: [...dayWarnings(cron_expression), ...clockWarnings(parsed.schedule, clock), ...gaps],
  }
}

type Read = { ok: true; schedule: CronSchedule } | { ok: false; reason: string }

function readCron(text: string): Read {
  try {
    return { ok: true, schedule: parseCron(text) }
  } catch (error) {
    if (error instanceof InvalidCron) return { ok: false, reason: error.message }
    throw error
  }
}
