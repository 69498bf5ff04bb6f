import { runs } from '../../../contract/runs/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { waitForRun } from '../../tasks/run/wait-for-run.ts'
import { taskOfConfig } from '../../tasks/task-identity.ts'
import { listRuns, listRunsOfTask, readRun } from './queries.ts'

type Deps = { db: Db }

/** Run history. */
export const runsFeature: Feature<typeof runs, Deps> = {
  calls: runs,
  handlers: {
    ofSyncTask: ({ params, query }, { db }) => listRunsOfTask(db, { category: 'sync', id: params.id }, query),
    ofSourceTask: ({ params, query }, { db }) =>
      listRunsOfTask(db, { category: 'source', id: params.id }, query),
    ofCompilerConfig: async ({ params, query }, { db }) =>
      listRunsOfTask(db, { category: 'compiler', id: await taskOfConfig(db, params.id) }, query),
    get: async ({ params: { id }, query, signal }, { db }) => {
      await waitForRun(db, id, { seconds: query.wait, signal })
      return readRun(db, id)
    },
    list: ({ query }, { db }) => listRuns(db, query),
  },
}
