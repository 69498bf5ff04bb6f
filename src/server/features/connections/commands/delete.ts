import { originMessages } from '../../../../contract/connections/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'

import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

/**
 * Deletes a connection. Throws NamedError `connection_not_found`, or `connection_in_use` with the names of the tasks that use it.
 */
export async function deleteConnection(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Locks the connection, so that no task can start using it after the check.
    const connection = await trx
      .selectFrom('connections')
      .select('name')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (connection === undefined) throw new NamedError('connection_not_found')
    const users = await trx
      .selectFrom('source_tasks')
      .innerJoin('tasks', 'tasks.id', 'task_id')
      .select(({ fn }) => ['tasks.name', fn.countAll<string>().over().as('all')])
      .where('connection_id', '=', id)
      .orderBy('tasks.name')
      .limit(limits.users_named)
      .execute()
    if (users.length > 0) {
      const more = Number(users[0]?.all ?? 0) - users.length
      const message = originMessages.connection_in_use(
        users.map(({ name }) => name),
        more,
      )
      throw new NamedError('connection_in_use', { message })
    }
    await trx.deleteFrom('connections').where('id', '=', id).execute()
    const details = { name: connection.name }
    await audit(trx, actor, { action: 'delete', object_type: 'connection', object_id: id, details })
  })
}
