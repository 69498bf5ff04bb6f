import { sql } from 'kysely'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'

import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { notify } from '../../../platform/notify.ts'
import { typeObject } from '../../../tasks/task-identity.ts'
import { lockDependencies } from './dependencies.ts'
import type { TypeOf } from './settings.ts'

/** Deletes a type. Refused while tasks or other types refer to it (the message has their number). */
export async function deleteTaskType(db: Db, actor: Actor, { category, id }: TypeOf): Promise<void> {
  // A run that is queued and ends between the first two statements locks in the other order.
  await retriedTransaction(db, async (trx) => {
    await lockDependencies(trx)
    // Detaches the compiler configuration and its run. Lock order: runs, tasks, types.
    await trx
      .updateTable('runs')
      .set({ task_type_id: null })
      .where('task_type_id', '=', id)
      .where('category', '=', 'compiler')
      .where('state', 'in', ['queued', 'running', 'stopping'])
      .execute()
    await trx
      .updateTable('tasks')
      .set({ task_type_id: null })
      .where('task_type_id', '=', id)
      .where('category', '=', 'compiler')
      .execute()
    // The row lock prevents new tasks of the type until the transaction ends.
    const type = await trx
      .selectFrom('task_types')
      .select('name')
      .where('id', '=', id)
      .where('category', '=', category)
      .forUpdate()
      .executeTakeFirst()
    if (type === undefined) throw new NamedError('type_not_found')
    const { tasks, dependents } = await trx
      .selectNoFrom((eb) => [
        eb
          .selectFrom('tasks')
          .select(sql<number>`count(*)::int`.as('n'))
          .where('task_type_id', '=', id)
          .as('tasks'),
        eb
          .selectFrom('task_type_dependencies')
          .select(sql<number>`count(*)::int`.as('n'))
          .where('depends_on_id', '=', id)
          .as('dependents'),
      ])
      .executeTakeFirstOrThrow()
    if (tasks) throw new NamedError('type_in_use', { message: taskTypeMessages.type_has_tasks(tasks) })
    if (dependents)
      throw new NamedError('type_in_use', { message: taskTypeMessages.type_has_dependents(dependents) })
    await trx.deleteFrom('task_types').where('id', '=', id).execute()
    await audit(trx, actor, {
      action: 'delete',
      ...typeObject(category, id),
      details: { name: type.name },
    })
    await notify(trx, { kind: 'tasks' })
  })
}
