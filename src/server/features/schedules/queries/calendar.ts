import type {
  CalendarConflict,
  CalendarEntry,
  CalendarHour,
  ClockChange,
  calendarCalls,
  ScheduleCalendar,
} from '../../../../contract/calendar/calls.ts'
import type { QueryOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import { type CronSchedule, dueOnWall, nextRun, occurrences } from '../../../engine/schedule/cron.ts'
import { readSchedule } from '../../../engine/schedule/record-due.ts'
import { clockChanges } from '../../../engine/schedule/wall-time.ts'
import type { Db } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { type RunEstimate, readRunEstimates } from '../../../tasks/run/run-estimates.ts'
import { addDays, dateOf, hoursOf, startOfDay, startOfHour, timeOfDay } from './calendar-hours.ts'
import { type CalendarSchedule, readCalendarSchedules } from './calendar-schedules.ts'
import {
  addLoad,
  busyPeriods,
  type Load,
  loadOf,
  noLoad,
  type QuotaLimits,
  quotaSeconds,
  type Start,
} from './quota-load.ts'
import { commandOf } from './scheduled-tasks.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

type Range = { from: Date; to: Date }
type Options = { zone: string; quota: { limits: QuotaLimits } }

/**
 * Reads the coming runs of a range, their predicted load per hour and each schedule with its next run. Due times come from the code
 * that starts the runs. Each schedule text is evaluated once, independent of the number of tasks.
 */
export async function readCalendar(
  db: Db,
  { zone, quota }: Options,
  query: QueryOf<typeof calendarCalls.calendar>,
): Promise<ScheduleCalendar> {
  const { now, schedules } = await readCalendarSchedules(db)
  const estimates = (await readRunEstimates(db)).filter(({ is_schedule_paused }) => !is_schedule_paused)
  const range = rangeOf(query, now, zone)
  const tasksOf = taskFinder(estimates)
  const times = new DueTexts(schedules, { now, range, zone })
  const starts = startsOf(times, schedules, tasksOf)
  return {
    now: now.toISOString(),
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    time_zone: zone,
    today: dateOf(now, zone),
    hours: loadByHour(starts, hoursOf(range, zone), quota.limits),
    conflicts: conflictsOf(starts, quota.limits),
    clock_changes: clockChangesOf(times, range, zone),
    times: times.list.map(({ text, instants }) => ({
      text,
      minutes: instants.map((at) => Math.round((at - range.from.getTime()) / MINUTE_MS)),
    })),
    entries: schedules.map((schedule) => present(schedule, times, loadOf(tasksOf(schedule)))),
    unmeasured_tasks: countUnmeasured(schedules, tasksOf),
  }
}

function rangeOf({ from, days }: QueryOf<typeof calendarCalls.calendar>, now: Date, zone: string): Range {
  const count = Number(days)
  if (from !== undefined) return { from: startOfDay(from, zone), to: startOfDay(addDays(from, count), zone) }
  const start = startOfHour(now, zone)
  return {
    from: start,
    to:
      count === 1
        ? new Date(start.getTime() + 24 * HOUR_MS)
        : startOfDay(addDays(dateOf(now, zone), count), zone),
  }
}

type TasksOf = (schedule: CalendarSchedule) => readonly RunEstimate[]

/** The tasks that a schedule starts: active ones whose schedule is not paused. */
function taskFinder(estimates: readonly RunEstimate[]): TasksOf {
  const by_id = new Map(estimates.map((task) => [task.task_id, [task]]))
  const by_type = Map.groupBy(estimates, ({ task_type_id }) => task_type_id)
  const by_category = Map.groupBy<TaskCategory, RunEstimate>(estimates, ({ category }) => category)
  return ({ kind, id, category }) =>
    (kind === 'all' ? by_category.get(category) : kind === 'type' ? by_type.get(id) : by_id.get(id ?? 0)) ??
    []
}

type DueText = { text: string; schedule: CronSchedule | null; instants: number[]; next: Date | null }

/** The distinct times of day and cron expressions of schedules, each with its occurrences. */
class DueTexts {
  readonly list: DueText[]
  readonly #index: Map<string, number>

  constructor(
    schedules: readonly CalendarSchedule[],
    { now, range, zone }: { now: Date; range: Range; zone: string },
  ) {
    const texts = [...new Set(schedules.flatMap(({ texts }) => texts))].sort()
    this.#index = new Map(texts.map((text, index) => [text, index]))
    // The range includes its start and excludes its end; an occurrence at `now` has started.
    const from = new Date(Math.max(now.getTime(), range.from.getTime() - 1))
    const to = new Date(range.to.getTime() - 1)
    this.list = texts.map((text) => {
      const schedule = readSchedule(text)
      return {
        text,
        schedule,
        instants:
          schedule && to > from ? occurrences(schedule, { from, to, zone }).map((at) => at.getTime()) : [],
        next: schedule && nextRun(schedule, { now, zone }),
      }
    })
  }

  indexesOf({ texts }: CalendarSchedule): number[] {
    return texts.map((text) => this.#index.get(text) ?? 0).sort((a, b) => a - b)
  }
}

/** Adds up the runs of each instant. A task that two schedules request at the same time runs once. */
function startsOf(times: DueTexts, schedules: readonly CalendarSchedule[], tasksOf: TasksOf): Start[] {
  const by_text = times.list.map(() => new Set<CalendarSchedule>())
  for (const schedule of schedules)
    if (schedule.paused_by === null)
      for (const index of times.indexesOf(schedule)) by_text[index]?.add(schedule)
  const due = new Map<number, number[]>()
  times.list.forEach(({ instants }, index) => {
    if (by_text[index]?.size)
      for (const at of instants) {
        const indexes = due.get(at)
        if (indexes) indexes.push(index)
        else due.set(at, [index])
      }
  })
  // The same texts are due together again and again.
  const loads = new Map<string, Load>()
  const loadAt = (indexes: readonly number[]): Load => {
    const key = indexes.join()
    const known = loads.get(key)
    if (known) return known
    const tasks = new Set(indexes.flatMap((index) => [...(by_text[index] ?? [])].flatMap(tasksOf)))
    const load = loadOf(tasks)
    loads.set(key, load)
    return load
  }
  return [...due]
    .sort(([one], [other]) => one - other)
    .map(([at, indexes]) => ({ at, load: loadAt(indexes) }))
    .filter(({ load }) => load.runs > 0)
}

function loadByHour(
  starts: readonly Start[],
  hours: ReturnType<typeof hoursOf>,
  quota: QuotaLimits,
): CalendarHour[] {
  let next = 0
  return hours.map(({ at, end, date, hour }) => {
    const total = noLoad()
    for (let start = starts[next]; start && start.at < end; start = starts[next]) {
      addLoad(total, start.load)
      next += 1
    }
    return {
      at: new Date(at).toISOString(),
      seconds: Math.round((end - at) / 1000),
      date,
      hour,
      runs: total.runs,
      run_seconds: Math.round(total.run_seconds),
      reads: Math.round(total.reads),
      writes: Math.round(total.writes),
      quota_seconds: Math.ceil(quotaSeconds(total, quota)),
    }
  })
}

const conflictsOf = (starts: readonly Start[], quota: QuotaLimits): CalendarConflict[] =>
  busyPeriods(starts, quota)
    .map(({ at, last_at, until, runs }) => ({
      at: new Date(at).toISOString(),
      last_at: new Date(last_at).toISOString(),
      until: new Date(until).toISOString(),
      runs,
      quota_seconds: Math.ceil((until - at) / 1000),
    }))
    .filter(({ quota_seconds }) => quota_seconds > limits.calendar_conflict_seconds)

const clockChangesOf = (times: DueTexts, range: Range, zone: string): ClockChange[] =>
  clockChanges(zone, range).map(({ at, from, to }) => {
    // A wildcard hour follows elapsed time and skips nothing.
    const skipped = times.list.flatMap(({ schedule }) =>
      schedule && !schedule.wildcard && to > from ? dueOnWall(schedule, { from, to }) : [],
    )
    return {
      at: at.toISOString(),
      date: new Date(to).toISOString().slice(0, 10),
      from: timeOfDay(from),
      to: timeOfDay(to),
      skipped_times: [...new Set(skipped)].sort((a, b) => a - b).map(timeOfDay),
    }
  })

function present(schedule: CalendarSchedule, times: DueTexts, load: Load): CalendarEntry {
  const { kind, category, id, name, sheets, type_name, paused_by } = schedule
  const indexes = times.indexesOf(schedule)
  const next = Math.min(
    ...indexes.map((index) => times.list[index]?.next?.getTime() ?? Number.POSITIVE_INFINITY),
  )
  return {
    ...{ kind, category, id, name, sheets, type_name, paused_by },
    command: commandOf(schedule),
    times: indexes,
    tasks: load.runs,
    next_run:
      paused_by === null && load.runs > 0 && Number.isFinite(next) ? new Date(next).toISOString() : null,
    run_seconds: Math.round(load.run_seconds),
    requests: Math.round(load.reads + load.writes),
  }
}

const countUnmeasured = (schedules: readonly CalendarSchedule[], tasksOf: TasksOf): number =>
  new Set(
    schedules
      .filter(({ paused_by }) => paused_by === null)
      .flatMap(tasksOf)
      .filter(({ measured_runs }) => measured_runs === 0),
  ).size
