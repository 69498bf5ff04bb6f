import { type BulkCall, tasksBulk } from '../../../../contract/bulk/calls.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** Reads a stored call of this user with its final or, as long as it is open, its first reply. Throws NamedError `bulk_not_found`. */
export async function readBulkCall(db: Db, actor: Actor, id: number): Promise<BulkCall> {
  const call = await db
    .selectFrom('bulk_calls')
    .select(['reply', 'end_reply', 'end_state', 'undo_until'])
    .where('id', '=', id)
    .where('user_id', '=', actor.id)
    .executeTakeFirst()
  if (call === undefined) throw new NamedError('bulk_not_found')
  const result = tasksBulk.act.reply.parse(call.end_reply ?? call.reply)
  return {
    bulk_id: id,
    action: result.action,
    state: call.end_state ?? 'open',
    undo_until: call.undo_until?.toISOString() ?? null,
    result,
  }
}
