import { readyBy } from '../../../contract/forecast/calls.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { type ForecastDeps, refreshForecasts } from './commands/refresh.ts'
import { setReadyBy } from './commands/save.ts'
import { listReadyBy } from './queries/list.ts'

/** Times by which tasks, types and target spreadsheets have to be ready, and forecasts of them. */
export const forecastFeature: Feature<typeof readyBy, ForecastDeps> = {
  calls: readyBy,
  handlers: {
    list: async ({ query }, deps) => {
      await refreshForecasts(deps, { is_fresh: query.fresh === 'true' })
      return listReadyBy(deps.db)
    },
    save: ({ body, user }, { db }) => setReadyBy(db, user, body),
  },
}
