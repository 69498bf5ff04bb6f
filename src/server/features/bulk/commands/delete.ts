import { sql } from 'kysely'
import { bulkServerMessages } from '../../../../contract/bulk/server-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import { stopRunsIn } from '../../../engine/many-runs.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { sourceTasksInUse } from '../../../tasks/edit/task-users.ts'
import type { BulkTask } from '../queries/targets.ts'
import { type Acted, done, type Outcome, refused } from './outcomes.ts'

type Named = Pick<BulkTask, 'id' | 'title'>

/**
 * Deletes locked tasks that `checkDelete` does not refuse, and stops their previews. The caller holds the origins lock and those of the
 * previews.
 */
export async function deleteIn(
  trx: Trx,
  { email }: Pick<Actor, 'email'>,
  tasks: readonly Named[],
): Promise<Acted> {
  const { leaving, refusals } = await checkDelete(trx, tasks)
  await stopRunsIn(trx, { task_ids: leaving }, email)
  // Clears the references between the deleted tasks, which would otherwise violate the foreign key.
  await sql`update source_tasks set origin_task_id = null where task_id = any (${leaving}::int[])`.execute(
    trx,
  )
  await sql`delete from tasks where id = any (${leaving}::int[])`.execute(trx)
  return { outcomes: outcomesOf(tasks, refusals, bulkServerMessages.deleted) }
}

/** Decides what a later deletion of these tasks would do now. The caller holds the origins lock. */
export async function planDelete(trx: Trx, tasks: readonly Named[]): Promise<Acted> {
  const { leaving, refusals } = await checkDelete(trx, tasks)
  return {
    outcomes: outcomesOf(tasks, refusals, bulkServerMessages.deleted_later),
    former: new Map(leaving.map((id) => [id, {}])),
  }
}

const outcomesOf = (
  tasks: readonly Named[],
  refusals: ReadonlyMap<number, string>,
  say: (name: string) => string,
) =>
  new Map(
    tasks.map(({ id, title }): [number, Outcome] => {
      const why = refusals.get(id)
      return [id, why === undefined ? done(say(title)) : refused(why)]
    }),
  )

/**
 * Refuses tasks that have a live run or whose rows a remaining task or configuration uses. If a task is refused, the source tasks
 * that it uses are refused as well.
 */
async function checkDelete(trx: Trx, tasks: readonly Named[]) {
  const asked = tasks.map(({ id }) => id)
  const { rows } = await sql<{ id: number; is_live: boolean }>`
    with recursive asked as (
      select id from unnest(${asked}::int[]) as asked (id)
    ), live as (
      select distinct task_id as id from runs
      where task_id in (select id from asked) and state in ('queued', 'running', 'stopping')
        and not is_preview
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
  const stays = new Map(rows.map(({ id, is_live }) => [id, is_live]))
  const leaving = asked.filter((id) => !stays.has(id))
  const used = rows.flatMap(({ id, is_live }) => (is_live ? [] : id))
  const users = await sourceTasksInUse(trx, used, leaving)
  const refusals = new Map(
    rows.map(({ id, is_live }) => [id, is_live ? taskMessages.live_delete : (users.get(id) ?? '')]),
  )
  return { leaving, refusals }
}
