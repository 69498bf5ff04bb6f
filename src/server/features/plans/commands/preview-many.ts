import { sql } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import type { PreviewsBody, PreviewsReply } from '../../../../contract/plans/calls.ts'
import { planMessages } from '../../../../contract/plans/client-messages.ts'
import { writeRanges } from '../../../../contract/plans/run-ranges.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { durableTransaction } from '../../../engine/short-transaction.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { type RunRequest, triggerOf } from '../../../tasks/run/run-commands.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import { queuePreviews } from './queue-previews.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/**
 * Queues previews of several sync tasks, or joins those that are live. Throws NamedError `type_not_found`, and `invalid` if there are more
 * than `limits.previews_max` tasks.
 */
export const previewTasks = (
  { db, handlers }: Deps,
  by: RunRequest,
  selection: PreviewsBody,
): Promise<PreviewsReply> =>
  durableTransaction(db, async (trx) => {
    const ids = await readSelected(trx, selection)
    const previews = await queuePreviews(trx, handlers, triggerOf('group', by), ids)
    await audit(trx, by.actor, {
      action: 'preview',
      ...taskObject(by.category, null),
      details: { ...selection, count: previews.length },
      result: 'queued',
    })
    const found = new Set(ids)
    const skipped = [...new Set(selection.ids)]
      .filter((id) => !found.has(id))
      .map((id) => ({ id, message: messages.no_sync_task }))
    const { length: count } = previews
    return {
      status: count > 0 && skipped.length === 0 ? 'success' : 'warning',
      message:
        count > 0 || skipped.length > 0
          ? messages.previews_started(count, skipped.length)
          : messages.no_tasks,
      runs: writeRanges(previews.map(({ run_id }) => run_id)),
      previews: previews.map(({ task_id, run_id }) => ({ task_id, run_id })),
      skipped,
    }
  })

/** Ids of the selected sync tasks, in the order of the list. */
async function readSelected(
  trx: Trx,
  { ids, sync_task_type_id, target_spreadsheet_id }: PreviewsBody,
): Promise<number[]> {
  if (sync_task_type_id !== undefined) await requireType(trx, sync_task_type_id)
  const isSelected =
    ids !== undefined
      ? sql`t.id = any (${ids}::int[])`
      : sql`t.is_active and ${
          sync_task_type_id !== undefined
            ? sql`t.task_type_id = ${sync_task_type_id}`
            : target_spreadsheet_id !== undefined
              ? sql`s.target_ss_id = ${target_spreadsheet_id}`
              : sql`true`
        }`
  const { rows } = await sql<{ id: number }>`
    select t.id from tasks t join sync_tasks s on s.task_id = t.id where ${isSelected}
    order by t.task_type_id, t.sort_order, t.id limit ${limits.previews_max + 1}`.execute(trx)
  if (rows.length > limits.previews_max) {
    throw new NamedError('invalid', { message: planMessages.too_many(limits.previews_max) })
  }
  return rows.map(({ id }) => id)
}

async function requireType(trx: Trx, id: number): Promise<void> {
  const type = await trx
    .selectFrom('task_types')
    .select('id')
    .where('id', '=', id)
    .where('category', '=', 'sync')
    .executeTakeFirst()
  if (type === undefined) throw new NamedError('type_not_found', { field: 'sync_task_type_id' })
}
