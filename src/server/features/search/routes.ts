import { search } from '../../../contract/search/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { find } from './queries.ts'

/** Search over tasks and task types of all categories. */
export const searchFeature: Feature<typeof search, { db: Db }> = {
  calls: search,
  handlers: {
    find: ({ query }, { db }) => find(db, query),
  },
}
