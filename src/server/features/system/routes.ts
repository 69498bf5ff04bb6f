import { type Outage, system } from '../../../contract/system/calls.ts'
import type { MountStates, RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { readMissingFolders, readOutages } from './queries.ts'

type Deps = {
  db: Db
  handlers: readonly RunHandler[]
  supervised: () => readonly Outage[]
  mountStates: () => Promise<MountStates>
}

/** System status. */
export const systemFeature: Feature<typeof system, Deps> = {
  calls: system,
  handlers: {
    status: async (_input, { db, handlers, supervised, mountStates }) => {
      const categories = handlers.map(({ category }) => category)
      return {
        outages: await readOutages(db, { categories, supervised: supervised() }),
        missing_folders: await readMissingFolders(db, await mountStates()),
      }
    },
  },
}
