import { allRuns } from '../../../contract/all-runs/calls.ts'
import { runs } from '../../../contract/runs/calls.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { countLogs } from '../../tasks/run/logs.ts'
import { waitForRun } from '../../tasks/run/wait-for-run.ts'
import { taskOfConfig } from '../../tasks/task-identity.ts'
import { readChoices } from './queries/choices.ts'
import { listRunsOfTask, readRun, readSomeRuns } from './queries/history.ts'
import { listRuns } from './queries/list.ts'
import { type Quota, readQuotaMinutes } from './queries/quota.ts'
import { readReport } from './queries/report.ts'
import { readTimeline } from './queries/timeline.ts'

type Deps = { db: Db }

/** Run history of a task. */
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
  },
}

/** Runs of all tasks. */
export const allRunsFeature: Feature<typeof allRuns, Deps & { quota: Quota; now: () => Date; zone: string }> =
  {
    calls: allRuns,
    handlers: {
      list: ({ query }, { db }) => listRuns(db, query),
      some: ({ query: { ids } }, { db }) => readSomeRuns(db, ids),
      logCounts: ({ query: { task_id, ...filters } }, { db }) => countLogs(db, task_id, filters),
      choices: (_, { db }) => readChoices(db),
      timeline: ({ query }, { db, now }) => readTimeline(db, query, now()),
      quota: ({ query }, { db, quota, now }) => readQuotaMinutes(db, quota, query, now()),
      report: ({ params: { id } }, { db, zone }) => readReport(db, id, zone),
    },
  }
