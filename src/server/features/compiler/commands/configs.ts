import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { BodyOf } from '../../../../contract/calls.ts'
import type { compiler } from '../../../../contract/compiler/calls.ts'
import { CompilerConfigUpdate } from '../../../../contract/compiler/configs.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { touched, unchangedSince } from '../../../platform/edit-conflicts.ts'
import { NamedError } from '../../../platform/errors.ts'
import { parseInput } from '../../../platform/http/parse.ts'
import { notify } from '../../../platform/notify.ts'
import { deleteTask } from '../../../tasks/edit/delete-task.ts'
import { lockOrigins, refuseCycle } from '../../../tasks/edit/origins.ts'
import { checkNewOwner, checkOwners, ownershipOf } from '../../../tasks/edit/ownership.ts'
import type { FormerValues } from '../../../tasks/setting-changes/revert.ts'
import { taskObject, taskOfConfig } from '../../../tasks/task-identity.ts'
import { checkSettings, readSettings, storedSettings } from './merge-settings.ts'

type Create = BodyOf<typeof compiler.createConfig>
type Update = BodyOf<typeof compiler.updateConfig>
type Sources = { source_task_ids: number[]; master_source_id: number | null }

/** Adds a configuration and returns its id. Its task has no type until a type refers to the configuration. */
export const createConfig = (db: Db, actor: Actor, body: Create): Promise<number> =>
  db.transaction().execute((trx) => addConfig(trx, actor, body))

/** The same in the caller's transaction. */
export async function addConfig(trx: Trx, actor: Actor, body: Create): Promise<number> {
  const { name, is_active, description, source_task_ids, master_source_id } = body
  await checkOwners(trx, [body.owner_id])
  const task = await trx
    .insertInto('tasks')
    .values((eb) => ({
      category: 'compiler',
      name,
      is_active,
      ...ownershipOf(body),
      created_by: actor.id,
      sort_order: eb
        .selectFrom('tasks')
        .select(sql<number>`coalesce(max(sort_order), 0) + 1`.as('last'))
        .where('category', '=', 'compiler'),
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await trx
    .insertInto('compiler_configs')
    .values({ task_id: task.id, description, ...storedSettings(body) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setSources(trx, id, { source_task_ids, master_source_id })
  checkSettings(body, source_task_ids)
  await recorded(trx, actor, 'create', { task_id: task.id, body })
  return id
}

/**
 * Updates a configuration. Omitted fields keep their value. Throws NamedError `stale_update`, `master_not_source`,
 * `merge_setting_invalid`, `origin_cycle` or `compiler_task_not_found`.
 */
export const updateConfig = (db: Db, actor: Actor, id: number, body: Update): Promise<void> =>
  retriedTransaction(db, (trx) => changeConfig(trx, actor, id, body))

/** The same in the caller's transaction. */
export async function changeConfig(trx: Trx, actor: Actor, id: number, body: Update): Promise<void> {
  const { name, is_active, description, source_task_ids, master_source_id, updated_at } = body
  if (source_task_ids !== undefined) await lockOrigins(trx)
  const task_id = await taskOfConfig(trx, id)
  await checkNewOwner(trx, task_id, body.owner_id)
  // Locks the task, so that a concurrent edit waits and then reads the new sources.
  const edited = await trx
    .updateTable('tasks')
    .set({ name, is_active, ...ownershipOf(body), updated_at: touched })
    .where('id', '=', task_id)
    .where(unchangedSince(updated_at))
    .returning('id')
    .executeTakeFirst()
  if (edited === undefined) {
    await taskOfConfig(trx, id)
    throw new NamedError('stale_update')
  }
  await trx
    .updateTable('compiler_configs')
    .set((eb) => ({ description: description ?? eb.ref('description'), ...storedSettings(body) }))
    .where('id', '=', id)
    .execute()
  const former = await sourcesOf(trx, id)
  const sources = {
    source_task_ids: source_task_ids ?? former.source_task_ids,
    master_source_id: master_source_id ?? former.master_source_id,
  }
  // Rewriting unchanged sources would change the version of every task that reads the records.
  if (!isDeepStrictEqual(sources, former)) {
    await trx.deleteFrom('compiler_sources').where('compiler_config_id', '=', id).execute()
    await setSources(trx, id, sources)
    if (source_task_ids !== undefined) await refuseCycle(trx, task_id, 'source_task_ids')
  }
  checkSettings(await readSettings(trx, id), sources.source_task_ids)
  await recorded(trx, actor, 'update', { task_id, body })
}

/** Restores former values, by column, as an edit of the actor does. Throws like updateConfig. */
export const revertConfig = (db: Db, id: number, { actor, before, updated_at }: FormerValues) =>
  updateConfig(db, actor, id, parseInput(CompilerConfigUpdate, { ...before, updated_at }))

/**
 * Deletes a configuration with its compiled records. Refused while a run is live, and while tasks or a type use it (the message
 * names them).
 */
export async function deleteConfig(db: Db, actor: Actor, id: number): Promise<void> {
  await deleteTask(db, actor, 'compiler', await taskOfConfig(db, id))
}

/** Reads the ordered sources of a configuration and which one is the master. */
export async function sourcesOf(trx: Trx, id: number): Promise<Sources> {
  const rows = await trx
    .selectFrom('compiler_sources')
    .select(['source_task_id', 'is_master'])
    .where('compiler_config_id', '=', id)
    .orderBy('position')
    .execute()
  return {
    source_task_ids: rows.map(({ source_task_id }) => source_task_id),
    master_source_id: rows.find(({ is_master }) => is_master)?.source_task_id ?? null,
  }
}

async function setSources(
  trx: Trx,
  id: number,
  { source_task_ids, master_source_id }: Sources,
): Promise<void> {
  if (master_source_id === null || !source_task_ids.includes(master_source_id))
    throw new NamedError('master_not_source', { field: 'master_source_id' })
  await trx
    .insertInto('compiler_sources')
    .values(
      source_task_ids.map((source_task_id, position) => ({
        compiler_config_id: id,
        source_task_id,
        position,
        is_master: source_task_id === master_source_id,
      })),
    )
    .execute()
}

async function recorded(
  trx: Trx,
  actor: Actor,
  action: 'create' | 'update',
  { task_id, body }: { task_id: number; body: Omit<Update, 'updated_at'> },
): Promise<void> {
  const { name, description, is_active, source_task_ids, master_source_id } = body
  const { required_fields, field_groups, field_priorities, column_names } = body
  const settings = { required_fields, field_groups, field_priorities, column_names }
  const details = {
    name,
    description,
    is_active,
    source_task_ids,
    master_source_id,
    ...settings,
    ...ownershipOf(body),
  }
  await audit(trx, actor, { action, ...taskObject('compiler', task_id), details })
  await notify(trx, { kind: 'tasks' })
}
