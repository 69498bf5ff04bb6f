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
  /** Restricts the result to these tasks. */
  ids?: readonly number[]
}

/**
 * Lists the next runs of a category's tasks, or of some tasks, by the cron of their types and the run-all schedule, using the clock
 * of the database. One query; each schedule is evaluated once.
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

/** A cron expression or time of day, and the tasks that it applies to. */
export type DueText = { schedule: 'type' | 'all'; text: string; task_ids: readonly number[] }

/** A coming run. `cron` is null for the run-all schedule. */
export type ComingRun = { task_id: number; at: Date; cron: string | null }

type Window = {
  now: Date
  zone: string
  limit: number
  /** Time range in which all runs are listed; undefined lists only the next run of each task. */
  hours?: number | undefined
}

type Head = { due: DueText; schedule: CronSchedule; at: Date }

/** Lists the next `limit` runs by time. A task with two schedules due at the same time runs once. */
export function comingRuns(dues: readonly DueText[], { now, zone, limit, hours }: Window): ComingRun[] {
  const until = hours === undefined ? null : now.getTime() + hours * 3_600_000
  const heads = dues.flatMap((due) => headOf(due, readSchedule(due.text), { now, zone }))
  const runs: ComingRun[] = []
  const seen = new Set<string>()
  // One iteration per occurrence, so that a long time range costs no more than `limit` runs.
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

// At the same time, a type's cron takes precedence over run-all.
const earliest = (heads: readonly Head[]): Head | undefined =>
  heads.reduce<Head | undefined>(
    (first, head) => (first === undefined || compare(head, first) < 0 ? head : first),
    undefined,
  )

const compare = (a: Head, b: Head) =>
  a.at.getTime() - b.at.getTime() || Number(a.due.schedule === 'all') - Number(b.due.schedule === 'all')
