import { savedViews } from '../../../contract/saved-views/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { createSavedView, deleteSavedView, updateSavedView } from './commands.ts'
import { listSavedViews, readSavedView } from './queries.ts'

/** Filters of lists, saved under a name. */
export const savedViewsFeature: Feature<typeof savedViews, { db: Db }> = {
  calls: savedViews,
  handlers: {
    list: ({ query, user }, { db }) => listSavedViews(db, user, query.list),
    create: async ({ body, user }, { db }) => readSavedView(db, user, await createSavedView(db, user, body)),
    update: async ({ params, body, user }, { db }) => {
      await updateSavedView(db, user, params.id, body)
      return readSavedView(db, user, params.id)
    },
    delete: ({ params, user }, { db }) => deleteSavedView(db, user, params.id),
  },
  constraints: { saved_views_name_key: { error: 'view_name_taken', field: 'name' } },
}
