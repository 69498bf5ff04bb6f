import { sql } from 'kysely'
import type { BulkResult } from '../../../../contract/bulk/calls.ts'
import { bulkMessages } from '../../../../contract/bulk/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import type { Trx } from '../../../platform/db.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import { sourceTasksInUse } from '../../../tasks/edit/task-users.ts'

/** A requested task. `category` is never `compiler`. */
export type NamedTask = { id: number; name: string; category: TaskCategory; is_active: boolean }

/** Result of the action for one task. */
export type Outcome = Pick<BulkResult, 'status' | 'message'>

/**
 * Deletes locked tasks that have no live run and whose rows no remaining task or configuration uses. If a task is refused, the
 * source tasks that it uses are refused as well. The caller holds the origins lock.
 */
export async function deleteIn(trx: Trx, tasks: readonly NamedTask[]): Promise<Map<number, Outcome>> {
  const asked = tasks.map(({ id }) => id)
  const { rows: refused } = await sql<{ id: number; is_live: boolean }>`
    with recursive asked as (
      select id from unnest(${asked}::int[]) as asked (id)
    ), live as (
      select distinct task_id as id from runs
      where task_id in (select id from asked) and state in ('queued', 'running', 'stopping')
    ), kept (id) as (
      (
        select id from live
        union
        select source_task_id from compiler_sources where source_task_id in (select id from asked)
        union
        select origin_task_id from source_tasks
        where origin_task_id in (select id from asked) and task_id not in (select id from asked)
      )
      union
      select s.origin_task_id from kept join source_tasks s on s.task_id = kept.id
      where s.origin_task_id in (select id from asked)
    )
    select kept.id, live.id is not null as is_live from kept left join live on live.id = kept.id`.execute(trx)
  const stays = new Map(refused.map(({ id, is_live }) => [id, is_live]))
  const leaving = asked.filter((id) => !stays.has(id))
  const users = await sourceTasksInUse(
    trx,
    refused.flatMap(({ id, is_live }) => (is_live ? [] : id)),
    leaving,
  )
  // Clears the references between the deleted tasks, which would otherwise violate the foreign key.
  await sql`update source_tasks set origin_task_id = null where task_id = any (${leaving}::int[])`.execute(
    trx,
  )
  await sql`delete from tasks where id = any (${leaving}::int[])`.execute(trx)
  return new Map(
    tasks.map(({ id, name }): [number, Outcome] => {
      const is_live = stays.get(id)
      if (is_live === undefined) return [id, { status: 'done', message: bulkMessages.deleted(name) }]
      return [id, { status: 'refused', message: is_live ? taskMessages.live_delete : (users.get(id) ?? '') }]
    }),
  )
}
