import { type Outage, system } from '../../../contract/system/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { readOutages } from './queries.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; supervised: () => readonly Outage[] }

/** System status. */
export const systemFeature: Feature<typeof system, Deps> = {
  calls: system,
  handlers: {
    status: async (_input, { db, handlers, supervised }) => {
      const categories = handlers.map(({ category }) => category)
      return { outages: await readOutages(db, { categories, supervised: supervised() }) }
    },
  },
}
