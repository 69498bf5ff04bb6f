import { sql } from 'kysely'
import { z } from 'zod'
import { type TaskTypeCreate, TaskTypeUpdate } from '../../../../contract/task-types/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { touched, unchangedSince } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { notify } from '../../../platform/notify.ts'
import type { TaskCategory } from '../../../platform/schema.ts'
import type { FormerValues } from '../../../tasks/setting-changes/revert.ts'
import { typeObject } from '../../../tasks/task-identity.ts'
import { lockDependencies, setDependencies } from './dependencies.ts'
import { checkSettings, type Settings, settingsOf, type TypeOf } from './settings.ts'

/** Adds a type at the end of its category and returns its id. */
export const createTaskType = (
  db: Db,
  actor: Actor,
  category: TaskCategory,
  body: TaskTypeCreate,
): Promise<number> => db.transaction().execute((trx) => addTaskType(trx, actor, category, body))

/** Variant of createTaskType for an open transaction. */
export async function addTaskType(
  trx: Trx,
  actor: Actor,
  category: TaskCategory,
  body: TaskTypeCreate,
): Promise<number> {
  checkSettings(category, body)
  await lockDependencies(trx)
  const { id } = await trx
    .insertInto('task_types')
    .values((eb) => ({
      ...settingsOf(body),
      category,
      name: body.name,
      chunk_size: body.chunk_size,
      sort_order: eb
        .selectFrom('task_types')
        .select(sql<number>`coalesce(max(sort_order), 0) + 1`.as('last'))
        .where('category', '=', category),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await setDependencies(trx, id, body)
  await audit(trx, actor, { action: 'create', ...typeObject(category, id), details: detailsOf(body) })
  await notify(trx, { kind: 'tasks' })
  return id
}

/**
 * Updates a type. Omitted fields keep their value. A changed chunk size is applied to all its tasks; the number of changed tasks is
 * returned. Live runs keep their chunk size.
 */
export const updateTaskType = (db: Db, actor: Actor, type: TypeOf, body: TaskTypeUpdate): Promise<number> =>
  db.transaction().execute((trx) => changeTaskType(trx, actor, type, body))

const FormerDependencies = z.array(
  z.object({ depends_on_id: z.int(), condition: z.string() }).transform(({ depends_on_id, condition }) => ({
    dependency_task_type_id: depends_on_id,
    condition_type: condition,
  })),
)

/** Restores former values, by column, as an edit of the actor does. Throws like updateTaskType. */
export const revertTaskType = (db: Db, type: TypeOf, { actor, before, updated_at }: FormerValues) => {
  const { dependencies, ...same } = before
  const former = dependencies === undefined ? {} : { dependencies: FormerDependencies.parse(dependencies) }
  return updateTaskType(db, actor, type, parseInput(TaskTypeUpdate, { ...same, ...former, updated_at }))
}

/** Variant of updateTaskType for an open transaction. */
export async function changeTaskType(
  trx: Trx,
  actor: Actor,
  { category, id }: TypeOf,
  body: TaskTypeUpdate,
): Promise<number> {
  checkSettings(category, body)
  await lockDependencies(trx)
  const before = await trx
    .selectFrom('task_types')
    .select('chunk_size')
    .where('id', '=', id)
    .where('category', '=', category)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before === undefined) throw new NamedError('type_not_found')
  const edited = await trx
    .updateTable('task_types')
    .set({ ...settingsOf(body), updated_at: touched })
    .where('id', '=', id)
    .where(unchangedSince(body.updated_at))
    .returning('chunk_size')
    .executeTakeFirst()
  if (edited === undefined) throw new NamedError('stale_update')
  await setDependencies(trx, id, body)
  // An unchanged chunk size keeps the individual sizes of the tasks.
  const updated_tasks_count =
    edited.chunk_size === before.chunk_size ? 0 : await setChunkSize(trx, id, edited.chunk_size)
  await audit(trx, actor, {
    action: 'update',
    ...typeObject(category, id),
    details: { ...detailsOf(body), updated_tasks_count },
  })
  await notify(trx, { kind: 'tasks' })
  return updated_tasks_count
}

const detailsOf = (body: Settings) => ({
  ...settingsOf(body),
  depends_on_id: body.depends_on_id,
  dependencies: body.dependencies,
})

async function setChunkSize(trx: Trx, id: number, chunk_size: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('tasks')
    .set({ chunk_size, updated_at: touched })
    .where('task_type_id', '=', id)
    .where('chunk_size', '<>', chunk_size)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
