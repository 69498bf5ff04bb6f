import { sql } from 'kysely'
import type { TaskCategory } from '../../platform/schema.ts'
import type { Db } from '../types.ts'
import { nextRun } from './cron.ts'
import { readSchedule } from './record-due.ts'

/** The next moment at which a schedule makes a task due. `text` is the time of day or the cron expression. */
export type Upcoming = {
  task_id: number
  task_name: string
  category: TaskCategory
  task_type_id: number | null
  schedule: 'task' | 'type' | 'all'
  text: string
  due_at: Date
}

/** The next moment of every schedule of every active task, earliest first, `limit` at most. `zone` is that of the schedules. */
export async function upcoming(
  db: Db,
  { limit, zone }: { limit: number; zone: string },
): Promise<Upcoming[]> {
  const { rows } = await sql<Omit<Upcoming, 'due_at'> & { now: Date }>`
    select s.task_id, k.name as task_name, k.category, k.task_type_id, s.schedule, text, now() as now
    from task_schedules s
    join tasks k on k.id = s.task_id
    cross join lateral unnest(coalesce(s.times, array[s.cron])) as text
    order by k.category, k.sort_order, k.id`.execute(db)
  const [first] = rows
  if (!first) return []
  // Ten thousand tasks share a few hundred schedules.
  const texts = new Set(rows.map(({ text }) => text))
  const next = new Map([...texts].map((text) => [text, nextOf(text, first.now, zone)]))
  return rows
    .flatMap(({ now: _now, ...row }) => {
      const due_at = next.get(row.text)
      return due_at ? [{ ...row, due_at }] : []
    })
    .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
    .slice(0, limit)
}

function nextOf(text: string, now: Date, zone: string): Date | null {
  const schedule = readSchedule(text)
  return schedule && nextRun(schedule, { now, zone })
}
