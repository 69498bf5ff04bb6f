import { compiler } from '../../../contract/compiler.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { listConfigs } from './queries.ts'

type Deps = { db: Db }

/** The data compiler's configurations. */
export const compilerFeature: Feature<typeof compiler, Deps> = {
  calls: compiler,
  handlers: {
    listConfigs: ({ query }, { db }) =>
      listConfigs(db, query.is_active === undefined ? undefined : query.is_active === 'true'),
  },
}
