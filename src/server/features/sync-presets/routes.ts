import { syncPresets } from '../../../contract/sync-presets/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { createSyncPreset, deleteSyncPreset, updateSyncPreset } from './commands.ts'
import { listSyncPresets, readSyncPreset } from './queries.ts'

type Deps = { db: Db }

/** Sync presets. */
export const syncPresetsFeature: Feature<typeof syncPresets, Deps> = {
  calls: syncPresets,
  handlers: {
    list: (_, { db }) => listSyncPresets(db),
    create: async ({ body, user }, { db }) => readSyncPreset(db, await createSyncPreset(db, user, body)),
    update: async ({ params, body, user }, { db }) => {
      await updateSyncPreset(db, user, params.id, body)
      return readSyncPreset(db, params.id)
    },
    delete: ({ params, user }, { db }) => deleteSyncPreset(db, user, params.id),
  },
  constraints: {
    sync_presets_name_key: { error: 'preset_name_taken', field: 'name' },
  },
}
