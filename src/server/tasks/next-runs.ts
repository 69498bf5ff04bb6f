import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'
import { type ComingRun, comingRuns, type DueText } from './coming-runs.ts'

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
