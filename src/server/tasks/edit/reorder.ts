import { sql } from 'kysely'
import { taskTypeServerMessages } from '../../../contract/task-types/server-messages.ts'

import { type Actor, audit } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { typeObject } from '../task-identity.ts'
import { inSection, lockSectionOf } from './sections.ts'

/**
 * Sets the order of all tasks of a section. Throws NamedError `invalid` if an id is repeated, and `section_changed` unless the ids
 * are exactly the tasks of one section.
 */
export async function reorderTasks(
  db: Db,
  actor: Actor,
  { category, ids }: { category: TaskCategory; ids: readonly number[] },
): Promise<void> {
  const seen = new Set<number>()
  for (const id of ids) {
    if (seen.has(id))
      throw new NamedError('invalid', { message: taskTypeServerMessages.named_twice(id), field: 'task_ids' })
    seen.add(id)
  }
  await db.transaction().execute(async (trx) => {
    const task_type_id = await lockSectionOf(trx, category, ids[0] ?? 0).catch(changed)
    const tasks = await trx
      .selectFrom('tasks')
      .select('id')
      .where(inSection(category, task_type_id))
      .execute()
    if (tasks.length !== seen.size || !tasks.every(({ id }) => seen.has(id))) changed()
    await sql`
      update tasks set sort_order = wanted.place
      from unnest(${[...ids]}::int[]) with ordinality as wanted (id, place)
      where tasks.id = wanted.id and tasks.sort_order <> wanted.place`.execute(trx)
    await audit(trx, actor, {
      action: 'reorder',
      ...typeObject(category, task_type_id),
      details: { task_ids: ids },
    })
    await notify(trx, { kind: 'tasks' })
  })
}

function changed(cause?: unknown): never {
  throw cause === undefined || cause instanceof NamedError
    ? new NamedError('section_changed', { field: 'task_ids', cause })
    : cause
}
