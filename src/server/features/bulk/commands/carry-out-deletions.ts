import { sql } from 'kysely'
import { z } from 'zod'
import { type BulkReply, tasksBulk } from '../../../../contract/bulk/calls.ts'
import { lockPreviews } from '../../../engine/many-runs.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { lockOrigins } from '../../../tasks/edit/origins.ts'
import { readBulkTasks } from '../queries/targets.ts'
import { deleteIn } from './delete.ts'
import { resultsOf, summarize } from './outcomes.ts'
import { recordAction } from './record.ts'

const StoredActor = z.object({ id: z.int(), email: z.string(), token: z.optional(z.string()) })

/**
 * Carries out the deletions whose time to undo is over. Any process may call it at any time; each deletion is carried out once. A
 * task that has a live run or is used by then is not deleted.
 */
export async function carryOutDeletions(db: Db): Promise<void> {
  while (await durableTransaction(db, carryOutNext));
}

async function carryOutNext(trx: Trx): Promise<boolean> {
  // Index: bulk_calls_due_idx.
  const { rows } = await sql<{ id: number; actor: unknown; reply: unknown }>`
    select id, actor, reply from bulk_calls where due_at <= clock_timestamp() and end_state is null
    order by due_at limit 1 for update skip locked`.execute(trx)
  const [call] = rows
  if (call === undefined) return false
  const actor = StoredActor.parse(call.actor)
  const planned = tasksBulk.act.reply.parse(call.reply)
  const targets = await trx
    .selectFrom('bulk_changes')
    .select('task_id as id')
    .where('bulk_id', '=', call.id)
    .orderBy('task_id')
    .execute()
  await lockOrigins(trx)
  await lockPreviews(trx, { task_ids: targets.map(({ id }) => id) })
  const tasks = await readBulkTasks(trx, targets, 'exclusive')
  const { outcomes } = await deleteIn(trx, actor, tasks)
  const results = new Map(resultsOf(targets, tasks, outcomes).map((result) => [result.id, result]))
  const reply: BulkReply = {
    action: 'delete',
    ...summarize(
      'delete',
      planned.results.map((result) => ({ ...result, ...withName(results.get(result.id), result.name) })),
    ),
    bulk_id: null,
    undo_until: null,
  }
  await recordAction(
    trx,
    { id: actor.id, email: actor.email, ...(actor.token !== undefined && { token: actor.token }) },
    { action: 'delete' },
    { tasks: tasks.filter(({ id }) => outcomes.get(id)?.status === 'done'), former: new Map() },
  )
  await trx
    .updateTable('bulk_calls')
    .set({ end_state: 'carried_out', end_reply: JSON.stringify(reply) })
    .where('id', '=', call.id)
    .execute()
  return true
}

// A task that another user deleted in the meantime keeps the name that the first reply gave.
const withName = <T extends { name: string | null }>(result: T | undefined, name: string | null) =>
  result && { ...result, name: result.name ?? name }
