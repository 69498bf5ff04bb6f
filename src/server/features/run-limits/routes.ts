import { runLimits } from '../../../contract/run-limits/calls.ts'
import { readSavedDefaults } from '../../plans/limit-defaults.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { saveLimitDefaults } from './commands.ts'

/** Limits of sync tasks that do not set their own. */
export const runLimitsFeature: Feature<typeof runLimits, { db: Db }> = {
  calls: runLimits,
  handlers: {
    defaults: (_, { db }) => readSavedDefaults(db),
    saveDefaults: ({ body, user }, { db }) => saveLimitDefaults(db, user, body),
  },
}
