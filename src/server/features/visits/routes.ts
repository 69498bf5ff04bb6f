import { visits } from '../../../contract/visits/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { recordVisit } from './commands.ts'
import { readNews } from './queries.ts'

/** Visits of each user, and what happened between them. */
export const visitsFeature: Feature<typeof visits, { db: Db }> = {
  calls: visits,
  handlers: {
    record: ({ user }, { db }) => recordVisit(db, user.id),
    news: ({ query, user }, { db }) => readNews(db, user.id, query.since),
  },
}
