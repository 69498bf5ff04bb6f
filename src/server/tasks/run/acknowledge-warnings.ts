import { sql } from 'kysely'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import { durableTransaction } from '../../engine/short-transaction.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import { taskName, taskObject } from '../task-identity.ts'
import type { RunRequest } from './run-commands.ts'

type Reply = { status: 'success' | 'warning'; message: string }

/**
 * Acknowledges warnings of a task's last run. Later runs with only these warnings end as Success. The first user to acknowledge
 * stays recorded. Throws NamedError `…_task_not_found`, or `warnings_changed` if the last run lacks one of them.
 */
export const acknowledgeWarnings = (
  db: Db,
  by: RunRequest,
  task_id: number,
  ids: readonly string[],
): Promise<Reply> =>
  durableTransaction(db, async (trx) => {
    await taskName(trx, by.category, task_id)
    const wanted = new Set(ids)
    const { rows } = await sql<{ id: string; message: string }>`
      select warning ->> 'id' as id, warning ->> 'message' as message
      from tasks t join runs r on r.id = t.last_run_id, jsonb_array_elements(r.warnings) as warning
      where t.id = ${task_id} and warning ->> 'id' = any (${[...wanted]}::text[])`.execute(trx)
    if (rows.length < wanted.size) throw new NamedError('warnings_changed')
    await acknowledgeIn(
      trx,
      by.actor,
      [...wanted].map((warning_id) => ({ task_id, warning_id })),
    )
    await audit(trx, by.actor, {
      action: 'acknowledge',
      ...taskObject(by.category, task_id),
      details: { warnings: rows.map(({ message }) => message) },
    })
    await notifyTask(trx, task_id)
    return { status: 'success', message: runMessages.acknowledged(wanted.size) }
  })

type Acknowledged = { task_id: number; warning_id: string }

/** Records acknowledgements in the caller's transaction and returns those that are new; the caller writes the audit log. */
export async function acknowledgeIn(
  trx: Trx,
  actor: Actor,
  warnings: readonly Acknowledged[],
): Promise<(Acknowledged & { acknowledged_at: string })[]> {
  const { rows } = await sql<Acknowledged & { acknowledged_at: string }>`
    insert into acknowledged_warnings (task_id, warning_id, acknowledged_by)
    select w.task_id, w.warning_id, ${actor.email}
    from unnest(${warnings.map(({ task_id }) => task_id)}::int[], ${warnings.map(({ warning_id }) => warning_id)}::text[])
      as w (task_id, warning_id)
    order by w.task_id, w.warning_id
    on conflict do nothing
    returning task_id, warning_id, acknowledged_at::text`.execute(trx)
  return rows
}

/** Withdraws the acknowledgement of warnings, regardless of the user who gave it. Throws NamedError `…_task_not_found`. */
export const takeBack = (db: Db, by: RunRequest, task_id: number, ids: readonly string[]): Promise<Reply> =>
  durableTransaction(db, async (trx) => {
    await taskName(trx, by.category, task_id)
    const { rows } = await sql<{ warning_id: string; acknowledged_by: string }>`
      delete from acknowledged_warnings
      where task_id = ${task_id} and warning_id = any (${[...ids]}::text[])
      returning warning_id, acknowledged_by`.execute(trx)
    if (rows.length === 0) return { status: 'warning', message: runMessages.not_acknowledged }
    await audit(trx, by.actor, {
      action: 'take_back',
      ...taskObject(by.category, task_id),
      details: { warnings: rows },
    })
    await notifyTask(trx, task_id)
    return { status: 'success', message: runMessages.taken_back(rows.length) }
  })

// A task with warnings always has a last run.
async function notifyTask(trx: Trx, task_id: number): Promise<void> {
  const run = await trx
    .selectFrom('tasks')
    .innerJoin('runs', 'runs.id', 'tasks.last_run_id')
    .select(['runs.id as run_id', 'runs.state'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirst()
  if (run) await notify(trx, { kind: 'run', task_id, ...run })
}
