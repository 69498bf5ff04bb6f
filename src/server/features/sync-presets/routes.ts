import { syncPresets } from '../../../contract/sync-presets.ts'
import type { Db } from '../../engine/types.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { listSyncPresets } from './queries.ts'

type Deps = { db: Db }

/** Sync presets. */
export const syncPresetsFeature: Feature<typeof syncPresets, Deps> = {
  calls: syncPresets,
  handlers: {
    list: (_, { db }) => listSyncPresets(db),
  },
}
