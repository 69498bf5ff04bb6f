import { sql } from 'kysely'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/**
 * Limits a folder to these users; null: all users may use it. Live runs continue. Throws NamedError `not_found` for a folder that is
 * not configured, and `invalid` for a user that does not exist.
 */
export async function limitFolder(
  db: Db,
  actor: Actor,
  configured: readonly string[],
  { name, user_ids }: { name: string; user_ids: number[] | null },
): Promise<void> {
  if (!configured.includes(name)) throw new NamedError('not_found')
  await db.transaction().execute(async (trx) => {
    if (user_ids === null) await trx.deleteFrom('limited_folders').where('folder', '=', name).execute()
    else {
      const known = await trx.selectFrom('users').select('id').where('id', 'in', user_ids).execute()
      if (known.length < new Set(user_ids).size) throw new NamedError('user_not_found', { field: 'user_ids' })
      await sql`insert into limited_folders (folder, user_ids) values (${name}, ${user_ids}::int[])
        on conflict (folder) do update set user_ids = excluded.user_ids`.execute(trx)
    }
    await audit(trx, actor, {
      action: user_ids === null ? 'open' : 'limit',
      object_type: 'folder',
      object_id: null,
      details: { folder: name, user_ids },
    })
  })
}
