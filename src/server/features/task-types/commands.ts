import { sql } from 'kysely'
import type { BodyOf } from '../../../contract/calls.ts'
import { messages } from '../../../contract/messages.ts'
import type { TaskTypeCalls } from '../../../contract/task-types.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { touched, unchangedSince } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'
import { notify } from '../../platform/notify.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { typeObject } from '../../tasks/category.ts'

type Create = BodyOf<TaskTypeCalls['create']>
type Update = BodyOf<TaskTypeCalls['update']>
/** One of the types of a category. */
type TypeOf = { category: TaskCategory; id: number }

/** Adds a type behind all others of its category; returns its id. */
export async function createTaskType(
  db: Db,
  actor: Actor,
  category: TaskCategory,
  body: Create,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockDependencies(trx)
    const { id } = await trx
      .insertInto('task_types')
      .values((eb) => ({
        category,
        name: body.name,
        chunk_size: body.chunk_size,
        allowed_concurrent_tasks: body.allowed_concurrent_tasks,
        queue_delay_seconds: body.queue_delay_seconds,
        max_retries: body.max_retries,
        retry_delay_seconds: body.retry_delay_seconds,
        sort_order: eb
          .selectFrom('task_types')
          .select(sql<number>`coalesce(max(sort_order), 0) + 1`.as('last'))
          .where('category', '=', category),
      }))
      .returning('id')
      .executeTakeFirstOrThrow()
    await setFirstDependency(trx, id, body.depends_on_id)
    await audit(trx, actor, {
      action: 'create',
      ...typeObject(category, id),
      details: changes(body),
    })
    await notify(trx, { kind: 'tasks' })
    return id
  })
}

/**
 * Changes a type; fields left out keep their value. A new chunk size becomes that of all its tasks as well: returns
 * how many of them changed. Live runs keep the one they began with.
 */
export async function updateTaskType(
  db: Db,
  actor: Actor,
  { category, id }: TypeOf,
  body: Update,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockDependencies(trx)
    const { depends_on_id, ...settings } = changes(body)
    const edited = await trx
      .updateTable('task_types')
      .set({ ...settings, updated_at: touched })
      .where('id', '=', id)
      .where('category', '=', category)
      .where(unchangedSince(body.updated_at))
      .returning('id')
      .executeTakeFirst()
    if (edited === undefined)
      throw new NamedError((await exists(trx, category, id)) ? 'stale_update' : 'type_not_found')
    if (depends_on_id !== undefined) await setFirstDependency(trx, id, depends_on_id)
    const updated_tasks_count =
      body.chunk_size === undefined ? 0 : await setChunkSize(trx, id, body.chunk_size)
    await audit(trx, actor, {
      action: 'update',
      ...typeObject(category, id),
      details: { ...changes(body), updated_tasks_count },
    })
    await notify(trx, { kind: 'tasks' })
    return updated_tasks_count
  })
}

/** Deletes a type; refused, with their number, while tasks or other types refer to it. */
export async function deleteTaskType(db: Db, actor: Actor, { category, id }: TypeOf): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockDependencies(trx)
    // A compiler configuration is detached, and so is its run. Runs, tasks, their type: so does everybody lock them.
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
    // The lock on the row keeps new tasks of the type out until the count below has been acted upon.
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
    if (tasks) throw new NamedError('type_in_use', { message: messages.type_has_tasks(tasks) })
    if (dependents) throw new NamedError('type_in_use', { message: messages.type_has_dependents(dependents) })
    await trx.deleteFrom('task_types').where('id', '=', id).execute()
    await audit(trx, actor, {
      action: 'delete',
      ...typeObject(category, id),
      details: { name: type.name },
    })
    await notify(trx, { kind: 'tasks' })
  })
}

/** One edit of the dependencies at a time: two that are harmless alone could close a circle together. */
async function lockDependencies(trx: Trx) {
  await sql`lock table task_type_dependencies in share row exclusive mode`.execute(trx)
}

/** Replaces the first of a type's dependencies (null: removes it); the others stay behind it. */
async function setFirstDependency(trx: Trx, id: number, depends_on_id: number | null) {
  const first = await trx
    .selectFrom('task_type_dependencies')
    .select(['depends_on_id', 'position'])
    .where('task_type_id', '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  if ((first?.depends_on_id ?? null) === depends_on_id) return
  await trx
    .deleteFrom('task_type_dependencies')
    .where('task_type_id', '=', id)
    .where('depends_on_id', 'in', [first?.depends_on_id ?? 0, depends_on_id ?? 0])
    .execute()
  if (depends_on_id === null) return
  await trx
    .insertInto('task_type_dependencies')
    .values({ task_type_id: id, depends_on_id, condition: 'success', position: first?.position ?? 0 })
    .execute()
  const { rows } = await sql<{ circular: boolean }>`
    with recursive reached as (
      select ${depends_on_id}::int as id
      union
      select d.depends_on_id from task_type_dependencies d join reached on d.task_type_id = reached.id
    )
    select exists (select from reached where id = ${id}) as circular`.execute(trx)
  if (rows[0]?.circular) throw new NamedError('circular_dependency', { field: 'depends_on_id' })
}

async function setChunkSize(trx: Trx, id: number, chunk_size: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('tasks')
    .set({ chunk_size, updated_at: touched })
    .where('task_type_id', '=', id)
    .where('chunk_size', '<>', chunk_size)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** What an edit may change, without the read-only fields that came along. */
function changes(body: Omit<Update, 'updated_at'>) {
  return {
    name: body.name,
    allowed_concurrent_tasks: body.allowed_concurrent_tasks,
    depends_on_id: body.depends_on_id,
    queue_delay_seconds: body.queue_delay_seconds,
    max_retries: body.max_retries,
    retry_delay_seconds: body.retry_delay_seconds,
    chunk_size: body.chunk_size,
  }
}

async function exists(trx: Trx, category: TaskCategory, id: number) {
  const row = await trx
    .selectFrom('task_types')
    .select('id')
    .where('id', '=', id)
    .where('category', '=', category)
    .executeTakeFirst()
  return row !== undefined
}
