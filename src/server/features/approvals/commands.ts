import { approvalServerMessages as messages } from '../../../contract/approvals/server-messages.ts'
import type { Right } from '../../../contract/calls.ts'
import type { RunReply } from '../../../contract/runs/wait-for-run.ts'
import type { RunHandler } from '../../engine/types.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Accepted } from '../../platform/http/feature.ts'
import { refuseBeyond } from '../../platform/http/guard.ts'
import { notify } from '../../platform/notify.ts'
import { recordDecision } from '../../tasks/approvals/record-decision.ts'
import { lockTask } from '../../tasks/edit/lock-task.ts'
import type { RunRequest } from '../../tasks/run/run-commands.ts'
import { type Pending, readPending } from './queries.ts'

type Reply = { status: 'success' | 'warning'; message: string }
type Rows = { id: number; snapshot_id: number }

/** What approves and rejects each kind, as the page of the task does. */
export type Decisions = {
  acceptRows: (db: Db, actor: Actor, rows: Rows) => Promise<Reply>
  discardRows: (db: Db, actor: Actor, rows: Rows) => Promise<Reply>
  acceptRecords: (db: Db, actor: Actor, records: Rows) => Promise<Reply>
  discardRecords: (db: Db, actor: Actor, records: Rows) => Promise<Reply>
  applyPlan: (
    deps: { db: Db; handlers: readonly RunHandler[] },
    by: RunRequest,
    plan: { id: number; hash: string },
    wait: { seconds: number | undefined; signal: AbortSignal },
  ) => Promise<RunReply | Accepted<RunReply>>
  replaceCells: (
    db: Db,
    handlers: readonly RunHandler[],
    by: RunRequest,
    cells: { id: number; hash: string },
  ) => Promise<Reply>
}

type Deps = { db: Db; handlers: readonly RunHandler[]; decisions: Decisions }
type Asked = { id: number; version: string; actor: Actor; right: Right | undefined }

/**
 * Approves what a task waits for: accepts its rows or records, or runs it once. Throws NamedError `approval_not_found` or `approval_changed` if it
 * waits for nothing or for something else, and as the decisions do.
 */
export async function approve(
  { db, handlers, decisions }: Deps,
  { signal, ...asked }: Asked & { signal: AbortSignal },
): Promise<Reply> {
  const { id, version, actor } = asked
  const by: RunRequest = { category: 'sync', actor }
  switch ((await requirePending(db, asked)).kind) {
    case 'ingest_below_minimum':
    case 'columns_changed':
      return decisions.acceptRows(db, actor, { id, snapshot_id: Number(version) })
    case 'compile_beyond_limit':
      return decisions.acceptRecords(db, actor, { id, snapshot_id: Number(version) })
    case 'unowned_cells':
      return decisions.replaceCells(db, handlers, by, { id, hash: version })
    case 'run_beyond_limit': {
      const reply = await decisions.applyPlan(
        { db, handlers },
        by,
        { id, hash: version },
        { seconds: undefined, signal },
      )
      const { status, message } = 'answer' in reply ? reply.answer : reply
      return { status, message }
    }
  }
}

/** Rejects what a task waits for: discards its rows or records, or leaves its target as it is. Only who may approve it may reject it. Throws as `approve` does. */
export async function reject({ db, decisions }: Deps, asked: Asked): Promise<Reply> {
  const { id, version, actor } = asked
  const { kind, title } = await requirePending(db, asked)
  if (kind === 'ingest_below_minimum' || kind === 'columns_changed')
    return decisions.discardRows(db, actor, { id, snapshot_id: Number(version) })
  if (kind === 'compile_beyond_limit')
    return decisions.discardRecords(db, actor, { id, snapshot_id: Number(version) })
  return db.transaction().execute(async (trx) => {
    await lockTask(trx, 'sync', id)
    // Another user may have decided meanwhile.
    const { content, reason } = await requirePending(trx, asked)
    await recordDecision(trx, actor, { task_id: id, kind, content, is_approved: false, reason })
    const details = { kind, version, reason }
    await audit(trx, actor, { action: 'reject', object_type: 'sync_task', object_id: id, details })
    await notify(trx, { kind: 'tasks', task_ids: [id] })
    return { status: 'success', message: messages.rejected(title) }
  })
}

/**
 * Throws NamedError `right_missing` if a token may only run tasks, and this is no run beyond a limit; `not_task_account` if these are
 * cells that the task does not own, and the caller's account does not run it.
 */
async function requirePending(db: Db, { id, version, right, actor }: Asked): Promise<Pending> {
  const pending = await readPending(db, id)
  if (pending.length === 0) throw new NamedError('approval_not_found')
  const wanted = pending.find((one) => one.version === version)
  if (!wanted) throw new NamedError('approval_changed', { field: 'version' })
  if (right !== undefined) refuseBeyond(right, wanted.kind === 'run_beyond_limit' ? 'run' : 'edit')
  if (wanted.kind === 'unowned_cells' && wanted.account_user_id !== actor.id)
    throw new NamedError('not_task_account')
  return wanted
}
