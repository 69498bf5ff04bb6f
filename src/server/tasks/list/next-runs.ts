import { sql } from 'kysely'
import { type CronSchedule, nextRun } from '../../engine/schedule/cron.ts'
import { readSchedule } from '../../engine/schedule/record-due.ts'
import type { Db } from '../../platform/db.ts'
import type { TaskCategory } from '../../platform/schema.ts'

type Wanted = {
  category: TaskCategory
  zone: string
  limit: number
  hours?: number | undefined
  /** Of these tasks only. */
  ids?: readonly number[]
}

/**
 * The next run of every task of a category that has one by its type's cron or the run-all schedule, or of some tasks, by the
 * database's clock. One query, and one look at the calendar for each schedule, however many tasks.
 */
export async function readNextRuns(db: Db, { category, ids, ...window }: Wanted): Promise<ComingRun[]> {
  const { rows } = await sql<DueText & { now: Date }>`
    select s.schedule, due.text, now() as now,
      array_agg(k.id order by y.sort_order, y.name, k.sort_order, k.id) as task_ids
    from task_schedules s
    join tasks k on k.id = s.task_id
    left join task_types y on y.id = k.task_type_id
    cross join lateral unnest(coalesce(s.times, array[s.cron])) as due (text)
    where k.category = ${category} and ${ids === undefined ? sql`true` : sql`k.id = any(${[...ids]}::int[])`}
    group by s.schedule, due.text`.execute(db)
  const [first] = rows
  return first ? comingRuns(rows, { ...window, now: first.now }) : []
}

/** A cron expression or a time of day, and the tasks that are due by it. */
export type DueText = { schedule: 'type' | 'all'; text: string; task_ids: readonly number[] }

/** A coming run; `cron` is null where it is due with all tasks. */
export type ComingRun = { task_id: number; at: Date; cron: string | null }

type Window = {
  now: Date
  zone: string
  limit: number
  /** How far ahead all runs are given; undefined: each task's next one, however far ahead that is. */
  hours?: number | undefined
}

type Head = { due: DueText; schedule: CronSchedule; at: Date }

/** The next `limit` runs by time. A task that two schedules make due at the same moment runs once. */
export function comingRuns(dues: readonly DueText[], { now, zone, limit, hours }: Window): ComingRun[] {
  const until = hours === undefined ? null : now.getTime() + hours * 3_600_000
  const heads = dues.flatMap((due) => headOf(due, readSchedule(due.text), { now, zone }))
  const runs: ComingRun[] = []
  const seen = new Set<string>()
  // One step per moment and schedule, so that a far horizon costs no more than what is asked for.
  for (let head = earliest(heads); head && runs.length < limit; head = earliest(heads)) {
    const { due, schedule, at } = head
    if (until !== null && at.getTime() > until) break
    for (const task_id of due.task_ids) {
      const key = until === null ? `${task_id}` : `${task_id} ${at.getTime()}`
      if (seen.has(key)) continue
      seen.add(key)
      runs.push({ task_id, at, cron: due.schedule === 'type' ? due.text : null })
    }
    heads.splice(heads.indexOf(head), 1)
    if (until !== null) heads.push(...headOf(due, schedule, { now: at, zone }))
  }
  return runs.slice(0, limit)
}

function headOf(due: DueText, schedule: CronSchedule | null, clock: { now: Date; zone: string }): Head[] {
  const at = schedule && nextRun(schedule, clock)
  return schedule && at ? [{ due, schedule, at }] : []
}

// At the same moment a type's cron goes before the run-all: it is what people look for.
const earliest = (heads: readonly Head[]): Head | undefined =>
  heads.reduce<Head | undefined>(
    (first, head) => (first === undefined || compare(head, first) < 0 ? head : first),
    undefined,
  )

const compare = (a: Head, b: Head) =>
  a.at.getTime() - b.at.getTime() || Number(a.due.schedule === 'all') - Number(b.due.schedule === 'all')
