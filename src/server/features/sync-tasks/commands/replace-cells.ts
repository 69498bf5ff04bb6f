import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { lockTask } from '../../../tasks/edit/lock-task.ts'
import { type RunRequest, startTaskIn } from '../../../tasks/run/run-commands.ts'
import { readForeignCells } from '../queries/foreign-cells.ts'

/**
 * Queues a run that may overwrite exactly the unowned cells that the last run refused to overwrite. Throws NamedError
 * `not_task_account` unless the caller's account runs the task, and `foreign_cells_changed` if the cells differ.
 */
export const replaceCells = (
  db: Db,
  handlers: readonly RunHandler[],
  by: RunRequest,
  { id, hash }: { id: number; hash: string },
) =>
  durableTransaction(db, async (trx) => {
    await lockTask(trx, 'sync', id)
    const { foreign, account_user_id } = await readForeignCells(trx, id)
    if (account_user_id !== by.actor.id) throw new NamedError('not_task_account')
    if (foreign?.hash !== hash) throw new NamedError('foreign_cells_changed', { field: 'hash' })
    await audit(trx, by.actor, {
      action: 'replace_cells',
      object_type: 'sync_task',
      object_id: id,
      details: foreign,
    })
    const request = { ...by, definition: { replace: hash } }
    const { status, message } = await startTaskIn(trx, handlers, request, id)
    return { status, message }
  })
