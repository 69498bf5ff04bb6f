import { type CronSchedule, InvalidCron, nextRun, parseCron } from '../../../engine/schedule/cron.ts'

const MOMENTS = 3

type Clock = { now: Date; zone: string }

/** Whether the server would take a cron expression, why not, and its next three moments. */
export function validateCron(cron_expression: string, clock: Clock) {
  const read = readCron(cron_expression)
  return read.ok
    ? { cron_expression, valid: true, error_message: null, next_run_times: nextRuns(read.schedule, clock) }
    : { cron_expression, valid: false, error_message: read.reason, next_run_times: [] }
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

function nextRuns(schedule: CronSchedule, { now, zone }: Clock): string[] {
  const runs: string[] = []
  let at = nextRun(schedule, { now, zone })
  while (at !== null && runs.length < MOMENTS) {
    runs.push(at.toISOString())
    at = nextRun(schedule, { now: at, zone })
  }
  return runs
}
