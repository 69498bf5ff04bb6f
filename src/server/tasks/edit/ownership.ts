import { sql } from 'kysely'
import { taskServerMessages } from '../../../contract/tasks/server-messages.ts'
import type { Trx } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Fields of a task that runs do not depend on. */
export type Ownership = { owner_id: number | null; notes: string; tags: string[] }

/** These fields of a request body. */
export const ownershipOf = <T extends { [Field in keyof Ownership]?: Ownership[Field] | undefined }>(
  body: T,
): Pick<T, keyof Ownership> => ({ owner_id: body.owner_id, notes: body.notes, tags: body.tags })

const FIELDS: readonly string[] = ['owner_id', 'notes', 'tags'] satisfies (keyof Ownership)[]

/** Whether an update sets nothing but these fields. It is possible while a run is live, and keeps what runs recorded. */
export const isOwnershipOnly = ({ updated_at: _, ...edit }: { updated_at?: string | undefined }): boolean =>
  Object.entries(edit).every(([field, value]) => value === undefined || FIELDS.includes(field))

/** Throws NamedError `owner_gone` unless each of these users exists and is not disabled; null is nobody. */
export async function checkOwners(trx: Trx, user_ids: readonly (number | null)[]): Promise<void> {
  const wanted = new Set(user_ids.filter((id) => id !== null))
  if (wanted.size === 0) return
  const { rows } = await sql<{ id: number; email: string; is_active: boolean }>`
    select id, email, disabled_at is null as is_active from users where id = any(${[...wanted]}::int[])`.execute(
    trx,
  )
  const users = new Map(rows.map((user) => [user.id, user]))
  for (const id of wanted) {
    const user = users.get(id)
    if (user?.is_active) continue
    const message = taskServerMessages.owner_unknown(user?.email ?? String(id))
    throw new NamedError('owner_gone', { message, field: 'owner_id' })
  }
}

/** Like checkOwners for a change of a task, which may keep an owner who was disabled since. */
export async function checkNewOwner(trx: Trx, task_id: number, owner_id: number | null | undefined) {
  if (owner_id === undefined || owner_id === null) return
  const task = await trx.selectFrom('tasks').select('owner_id').where('id', '=', task_id).executeTakeFirst()
  if (task?.owner_id !== owner_id) await checkOwners(trx, [owner_id])
}
