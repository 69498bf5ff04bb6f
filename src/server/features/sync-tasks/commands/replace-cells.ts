import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { recordDecision } from '../../../tasks/approvals/record-decision.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { type RunRequest, startTaskIn } from '../../../tasks/run/run-commands.ts'
import { readUnownedCells } from '../queries/unowned-cells.ts'
import { readApplicable } from './apply-plan.ts'

/**
 * Queues a run that may overwrite exactly the unowned cells that the last run refused to overwrite, and that writes the same plan if that
 * run wrote one. Throws NamedError `not_task_account` unless the caller's account runs the task, `foreign_cells_changed` if the cells
 * differ, and as `readApplicable` if the plan can no longer be applied.
 */
export const replaceCells = (
  db: Db,
  handlers: readonly RunHandler[],
  by: RunRequest,
  { id, hash }: { id: number; hash: string },
) =>
  durableTransaction(db, async (trx) => {
    await lockTask(trx, 'sync', id)
    const { foreign, account_user_id, plan } = await readUnownedCells(trx, id)
    if (account_user_id !== by.actor.id) throw new NamedError('not_task_account')
    if (foreign?.hash !== hash) throw new NamedError('foreign_cells_changed', { field: 'hash' })
    if (plan !== null) await readApplicable(trx, { plan_id: plan, task_id: id })
    const { rejected_by: _, ...details } = foreign
    await audit(trx, by.actor, { action: 'replace_cells', object_type: 'sync_task', object_id: id, details })
    const decision = { task_id: id, kind: 'unowned_cells' as const, content: hash, is_approved: true }
    const reason = syncTaskMessages.foreign_text(foreign.cells, foreign.columns)
    const onQueued = (within: Trx) => recordDecision(within, by.actor, { ...decision, reason })
    const request = { ...by, definition: { replace: hash, plan }, onQueued }
    const { status, message } = await startTaskIn(trx, handlers, request, id)
    return { status, message }
  })
