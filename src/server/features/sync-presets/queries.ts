import { sql } from 'kysely'
import type { SyncPreset } from '../../../contract/sync-presets/calls.ts'
import type { Db } from '../../platform/db.ts'
import { NamedError } from '../../platform/errors.ts'

/** Lists all sync presets by name. */
export const listSyncPresets = (db: Db): Promise<SyncPreset[]> => read(db)

/** Reads one sync preset. Throws NamedError `preset_not_found`. */
export async function readSyncPreset(db: Db, id: number): Promise<SyncPreset> {
  const [preset] = await read(db, id)
  if (preset === undefined) throw new NamedError('preset_not_found')
  return preset
}

async function read(db: Db, id?: number): Promise<SyncPreset[]> {
  const rows = await db
    .selectFrom('sync_presets as p')
    .select(['p.id', 'p.name', 'p.excluded_fields', 'p.created_at', 'p.updated_at'])
    .select((eb) =>
      eb
        .selectFrom('sync_tasks')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('sync_preset_id', '=', 'p.id')
        .as('tasks_count'),
    )
    .$if(id !== undefined, (query) => query.where('p.id', '=', id ?? 0))
    .orderBy('p.name')
    .execute()
  return rows.map((row) => ({
    ...row,
    tasks_count: row.tasks_count ?? 0,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}
