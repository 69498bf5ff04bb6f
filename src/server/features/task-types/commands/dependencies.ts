import { sql } from 'kysely'
import type { TaskTypeUpdate } from '../../../../contract/task-types/calls.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'

type Dependencies = Pick<TaskTypeUpdate, 'depends_on_id' | 'dependencies'>

/** Serializes edits of dependencies: two valid edits could form a cycle together. */
export async function lockDependencies(trx: Trx): Promise<void> {
  await sql`lock table task_type_dependencies in share row exclusive mode`.execute(trx)
}

/**
 * Sets the dependencies of a type: all of them with `dependencies`, only the first with `depends_on_id`, none if both are omitted.
 * The caller holds the dependencies lock. Throws NamedError `circular_dependency`.
 */
export async function setDependencies(
  trx: Trx,
  id: number,
  { depends_on_id, dependencies }: Dependencies,
): Promise<void> {
  if (dependencies !== undefined) await setAll(trx, id, dependencies)
  else if (depends_on_id !== undefined) await setFirst(trx, id, depends_on_id)
  else return
  if (await isCircular(trx, id))
    throw new NamedError('circular_dependency', {
      field: dependencies === undefined ? 'depends_on_id' : 'dependencies',
    })
}

async function setAll(trx: Trx, id: number, dependencies: NonNullable<Dependencies['dependencies']>) {
  await trx.deleteFrom('task_type_dependencies').where('task_type_id', '=', id).execute()
  if (dependencies.length === 0) return
  await trx
    .insertInto('task_type_dependencies')
    .values(
      dependencies.map(({ dependency_task_type_id, condition_type }, position) => ({
        task_type_id: id,
        depends_on_id: dependency_task_type_id,
        condition: condition_type,
        position,
      })),
    )
    .execute()
}

/** Replaces the first dependency of a type; null removes it. The others keep their order. */
async function setFirst(trx: Trx, id: number, depends_on_id: number | null) {
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
}

async function isCircular(trx: Trx, id: number): Promise<boolean> {
  const { rows } = await sql<{ circular: boolean }>`
    with recursive reached as (
      select depends_on_id as id from task_type_dependencies where task_type_id = ${id}
      union
      select d.depends_on_id from task_type_dependencies d join reached on d.task_type_id = reached.id
    )
    select exists (select from reached where id = ${id}) as circular`.execute(trx)
  return rows[0]?.circular ?? false
}
