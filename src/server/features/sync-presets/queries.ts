import type { SyncPreset } from '../../../contract/sync-presets.ts'
import type { Db } from '../../engine/types.ts'

/** All sync presets by name. */
export const listSyncPresets = (db: Db): Promise<SyncPreset[]> =>
  db.selectFrom('sync_presets').select(['id', 'name', 'excluded_fields']).orderBy('name').execute()
