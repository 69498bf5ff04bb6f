import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { type BulkBody, type BulkReply, tasksBulk } from '../../../../contract/bulk/calls.ts'
import { bulkServerMessages } from '../../../../contract/bulk/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/** A stored call; `repeated` is the reply of the first request with the same key. */
export type Begun = { id: number; repeated: BulkReply | null }

/** A page shows the undo for ten seconds; its request may arrive a little later. */
const UNDO_WINDOW_MS = limits.undo_ms + 1_000

const Key = z
  .string()
  .min(1)
  .max(limits.idempotency_key_characters)
  .regex(/^[\x21-\x7e]*$/)

/** The Idempotency-Key of a request; null: none. Throws NamedError `invalid`. */
export function idempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const key = Key.safeParse(header)
  if (key.success) return key.data
  const message = bulkServerMessages.key_invalid(limits.idempotency_key_characters)
  throw new NamedError('invalid', { field: 'Idempotency-Key', message })
}

/**
 * Stores a call before it acts. Of concurrent requests with the same key, the later ones wait for the first transaction. Throws
 * NamedError `idempotency_key_reused` if the key was used with another body.
 */
export async function beginCall(
  trx: Trx,
  actor: Actor,
  asked: BulkBody,
  idempotency_key: string | null,
): Promise<Begun> {
  const body_hash = createHash('sha256').update(JSON.stringify(asked)).digest()
  const begun = await trx
    .insertInto('bulk_calls')
    .values({
      user_id: actor.id,
      actor: JSON.stringify(actor),
      action: asked.action,
      idempotency_key,
      body_hash,
      undo_until: null,
      due_at: null,
    })
    .onConflict((conflict) => conflict.constraint('bulk_calls_idempotency_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (begun) return { id: begun.id, repeated: null }
  const first = await trx
    .selectFrom('bulk_calls')
    .select(['id', 'body_hash', 'reply'])
    .where('user_id', '=', actor.id)
    .where('idempotency_key', '=', idempotency_key)
    .executeTakeFirstOrThrow()
  if (!first.body_hash.equals(body_hash))
    throw new NamedError('idempotency_key_reused', { field: 'Idempotency-Key' })
  return { id: first.id, repeated: tasksBulk.act.reply.parse(first.reply) }
}

type Ended = { reply: BulkReply; is_delayed: boolean; former: ReadonlyMap<number, object>; has_key: boolean }

/** Stores the reply of a call and what an undo restores; returns the reply with the id of the undo. */
export async function endCall(
  trx: Trx,
  id: number,
  { reply, is_delayed, former, has_key }: Ended,
): Promise<BulkReply> {
  const can_undo = former.size > 0
  if (!can_undo && !has_key) {
    await trx.deleteFrom('bulk_calls').where('id', '=', id).execute()
    return reply
  }
  const until = sql<Date>`clock_timestamp() + ${UNDO_WINDOW_MS} * interval '1 millisecond'`
  const { undo_until } = await trx
    .updateTable('bulk_calls')
    .set({ undo_until: can_undo ? until : null })
    .where('id', '=', id)
    .returning('undo_until')
    .executeTakeFirstOrThrow()
  const stored: BulkReply = {
    ...reply,
    bulk_id: can_undo ? id : null,
    undo_until: undo_until?.toISOString() ?? null,
  }
  await trx
    .updateTable('bulk_calls')
    .set({ reply: JSON.stringify(stored), ...(is_delayed && can_undo && { due_at: undo_until }) })
    .where('id', '=', id)
    .execute()
  await sql`
    insert into bulk_changes (bulk_id, task_id, former, updated_at)
    select ${id}::int, t.id, c.former, t.updated_at
    from jsonb_to_recordset(${JSON.stringify([...former].map(([task_id, values]) => ({ task_id, former: values })))}::jsonb)
      as c (task_id int, former jsonb)
    join tasks t on t.id = c.task_id`.execute(trx)
  return stored
}

/** Removes calls that can no longer be undone nor repeated. */
export async function pruneBulkCalls(db: Db): Promise<void> {
  // Index: bulk_calls_created_idx.
  await sql`
    delete from bulk_calls where created_at < now() - interval '1 day' and (due_at is null or end_state is not null)`.execute(
    db,
  )
}
