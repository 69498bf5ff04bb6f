import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import type { RunState } from '../platform/schema.ts'

/**
 * A task of a prerequisite type. `ended`: the state of its last finished run, null if there is none. `was_due`: a
 * schedule has requested a run, whatever its result.
 */
export type Prerequisite = {
  name: string
  condition: 'success' | 'completion'
  ended: RunState | null
  was_due: boolean
}

/**
 * The tasks that do not satisfy their condition, each with its last state. `success` accepts Success and Warning,
 * `completion` any end. A task that never ran satisfies both conditions unless it was due.
 */
export const unmetPrerequisites = (tasks: readonly Prerequisite[]): string[] =>
  tasks.filter(isUnmet).map(({ name, ended }) => `${name} (${ended ?? 'has not run'})`)

function isUnmet({ condition, ended, was_due }: Prerequisite): boolean {
  if (ended === null) return was_due
  return condition === 'success' && !accepted.has(ended)
}

const accepted = new Set<RunState>(['success', 'warning'])

/** Names of the tasks that do not satisfy a condition, by dependent type. Inactive tasks are ignored. */
export async function readUnmet(db: Db, type_ids: readonly number[]): Promise<Map<number, string[]>> {
  if (type_ids.length === 0) return new Map()
  // One lookup in runs_task_idx per task of a prerequisite type.
  const { rows } = await sql<Prerequisite & { task_type_id: number }>`
    select d.task_type_id, p.name, d.condition, last.state as ended,
      exists (select from due_moments m where m.task_id = p.id) as was_due
    from task_type_dependencies d
    join tasks p on p.task_type_id = d.depends_on_id and p.is_active
    left join lateral (
      select r.state from runs r
      where r.task_id = p.id and r.state not in ('queued', 'running', 'stopping') and not r.is_preview
      order by r.id desc limit 1
    ) last on true
    where d.task_type_id = any(${[...type_ids]}::int[])
    order by d.task_type_id, p.sort_order, p.id`.execute(db)
  const byType = Map.groupBy(rows, ({ task_type_id }) => task_type_id)
  return new Map([...byType].map(([id, tasks]) => [id, unmetPrerequisites(tasks)]))
}
