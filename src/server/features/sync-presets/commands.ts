import { sql } from 'kysely'
import type { z } from 'zod'
import type { SyncPresetCreate, SyncPresetUpdate } from '../../../contract/sync-presets/calls.ts'
import { presetServerMessages } from '../../../contract/sync-presets/server-messages.ts'
import { type Actor, audit } from '../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../platform/db.ts'
import { touched, unchangedSince } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'

/** Adds a preset and returns its id. */
export async function createSyncPreset(
  db: Db,
  actor: Actor,
  { name, excluded_fields }: z.output<typeof SyncPresetCreate>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const { id } = await trx
      .insertInto('sync_presets')
      .values({ name, excluded_fields })
      .returning('id')
      .executeTakeFirstOrThrow()
    const details = { name, excluded_fields }
    await audit(trx, actor, { action: 'create', object_type: 'sync_preset', object_id: id, details })
    return id
  })
}

/** Updates a preset. Omitted fields keep their value. Throws NamedError `stale_update`, `preset_decides` or `preset_not_found`. */
export async function updateSyncPreset(
  db: Db,
  actor: Actor,
  id: number,
  { name, excluded_fields, updated_at }: z.output<typeof SyncPresetUpdate>,
): Promise<void> {
  await retriedTransaction(db, async (trx) => {
    const former = await holdPreset(trx, id)
    const edited = await trx
      .updateTable('sync_presets')
      .set({ name, excluded_fields, updated_at: touched })
      .where('id', '=', id)
      .where(unchangedSince(updated_at))
      .returning('id')
      .executeTakeFirst()
    if (edited === undefined) throw new NamedError('stale_update')
    if (former.excluded_fields.some((field) => excluded_fields?.includes(field) === false))
      await refuseOnOthersAccounts(trx, actor, id)
    const details = { name, excluded_fields }
    await audit(trx, actor, { action: 'update', object_type: 'sync_preset', object_id: id, details })
  })
}

/** Deletes a preset. Refused while tasks use it (the message has their number). */
export async function deleteSyncPreset(db: Db, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const preset = await holdPreset(trx, id)
    const { tasks } = await trx
      .selectFrom('sync_tasks')
      .select(sql<number>`count(*)::int`.as('tasks'))
      .where('sync_preset_id', '=', id)
      .executeTakeFirstOrThrow()
    if (tasks > 0)
      throw new NamedError('preset_in_use', { message: presetServerMessages.preset_in_use(tasks) })
    await trx.deleteFrom('sync_presets').where('id', '=', id).execute()
    const details = { name: preset.name }
    await audit(trx, actor, { action: 'delete', object_type: 'sync_preset', object_id: id, details })
  })
}

// Locks the preset, so that no task can start using it after the count.
async function holdPreset(trx: Trx, id: number): Promise<{ name: string; excluded_fields: string[] }> {
  const preset = await trx
    .selectFrom('sync_presets')
    .select(['name', 'excluded_fields'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (preset === undefined) throw new NamedError('preset_not_found')
  return preset
}

// Refused if columns that were excluded would now be copied with the accounts of other users.
async function refuseOnOthersAccounts(trx: Trx, actor: Actor, id: number): Promise<void> {
  const { tasks } = await trx
    .selectFrom('sync_tasks')
    .innerJoin('tasks', 'tasks.id', 'task_id')
    .select(sql<number>`count(*)::int`.as('tasks'))
    .where('sync_preset_id', '=', id)
    .where('account_user_id', 'is distinct from', actor.id)
    .executeTakeFirstOrThrow()
  if (tasks > 0)
    throw new NamedError('preset_decides', { message: presetServerMessages.preset_decides(tasks) })
}
