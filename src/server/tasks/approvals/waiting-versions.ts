import { sql } from 'kysely'
import type { ApprovalKind } from '../../../contract/approvals/calls.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { lockTask } from '../edit/lock-task.ts'
import { contentOf, isReason, kindOfWaiting } from './pending-approvals.ts'
import { recordDecision } from './record-decision.ts'

/** The version of a task's rows or records that waits for an approval. */
export type Waiting = { id: number; snapshot_id: number }

/** A version that no longer waits. `read_at`: when it was read or compiled. */
type Taken = { kind: ApprovalKind; row_count: number; content: string; reason: string; read_at: Date }

type Decisions<W extends Waiting> = {
  category: TaskCategory
  /** Ends of the actions in the audit log. */
  what: 'rows' | 'records'
  /** Makes the version the current one; returns what else it did, for the audit log and for the reply. */
  makeCurrent: (
    trx: Trx,
    actor: Actor,
    waiting: W,
    taken: Taken,
  ) => Promise<{ details: object; note: string } | undefined>
  messages: { accepted: (count: number) => string; discarded: string }
}

/**
 * The commands that accept and discard what waits; `id` is that of the task. They throw NamedError `waiting_rows_changed` if another
 * version waits than the one the user saw, and `rows_at_work` while a run is live.
 */
export function waitingCommands<W extends Waiting = Waiting>({
  category,
  what,
  makeCurrent,
  messages,
}: Decisions<W>) {
  const accept = (db: Db, actor: Actor, waiting: W) =>
    db.transaction().execute(async (trx) => {
      const taken = await takeWaiting(trx, category, waiting)
      const made = await makeCurrent(trx, actor, waiting, taken)
      await acknowledgeReasons(trx, actor, waiting)
      const decision = { category, action: `accept_${what}`, is_approved: true, details: made?.details ?? {} }
      await recordWaitingDecision(trx, actor, { ...waiting, ...taken, ...decision })
      return { status: 'success' as const, message: messages.accepted(taken.row_count) + (made?.note ?? '') }
    })
  const discard = (db: Db, actor: Actor, waiting: Waiting) =>
    db.transaction().execute(async (trx) => {
      const taken = await takeWaiting(trx, category, waiting)
      const decision = { category, action: `discard_${what}`, is_approved: false }
      await recordWaitingDecision(trx, actor, { ...waiting, ...taken, ...decision })
      return { status: 'success' as const, message: messages.discarded }
    })
  return { accept, discard }
}

// Of the run `r`.
const reasonsOfRun = sql<string>`coalesce((
  select string_agg(warning ->> 'message', ' ') from jsonb_array_elements(r.warnings) as warning
  where ${isReason(sql`warning`)}), '')`

/**
 * Clears the waiting version of a task, which stays locked, so a run that ends at the same time waits. Throws NamedError
 * `waiting_rows_changed` if another version waits than the one the user saw, and `rows_at_work` while a run is live.
 */
async function takeWaiting(trx: Trx, category: TaskCategory, { id, snapshot_id }: Waiting): Promise<Taken> {
  await lockTask(trx, category, id)
  const run = await trx
    .selectFrom('runs')
    .select('id')
    .where('task_id', '=', id)
    .where('state', 'in', ['running', 'stopping'])
    .executeTakeFirst()
  if (run) throw new NamedError('rows_at_work')
  // The last run that read these rows; the same rows may already be waiting since an earlier run.
  const { rows } = await sql<Taken>`
    update tasks set waiting_snapshot_id = null from snapshots s left join runs r on r.id = s.run_id
    where tasks.id = ${id} and tasks.waiting_snapshot_id = ${snapshot_id} and s.id = ${snapshot_id}
    returning ${kindOfWaiting('tasks', 's')} as kind, s.row_count, ${contentOf('s')} as content, ${reasonsOfRun} as reason, coalesce(r.finished_at, s.completed_at, now()) as read_at`.execute(
    trx,
  )
  const [taken] = rows
  if (taken === undefined) throw new NamedError('waiting_rows_changed', { field: 'snapshot_id' })
  return taken
}

/** Acknowledges the warnings that required the approval. */
const acknowledgeReasons = (trx: Trx, actor: Actor, { id, snapshot_id }: Waiting): Promise<unknown> =>
  sql`
    insert into acknowledged_warnings (task_id, warning_id, acknowledged_by)
    select ${id}, warning ->> 'id', ${actor.email}
    from snapshots s join runs r on r.id = s.run_id cross join jsonb_array_elements(r.warnings) as warning
    where s.id = ${snapshot_id} and ${isReason(sql`warning`)}
    on conflict do nothing`.execute(trx)

/** Stores the decision in the list of decisions and in the audit log. */
async function recordWaitingDecision(
  trx: Trx,
  actor: Actor,
  decision: Waiting &
    Taken & { category: TaskCategory; action: string; is_approved: boolean; details?: object },
): Promise<void> {
  const { id, snapshot_id, category, kind, content, is_approved, reason, action, row_count } = decision
  await recordDecision(trx, actor, { task_id: id, kind, content, is_approved, reason })
  const details = { snapshot_id, row_count, ...decision.details }
  await audit(trx, actor, { action, object_type: `${category}_task`, object_id: id, details })
  await notify(trx, { kind: 'tasks', task_ids: [id] })
}
