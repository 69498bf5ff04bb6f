import { plans } from '../../../contract/plans/calls.ts'
import { readRanges } from '../../../contract/plans/run-ranges.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Config } from '../../platform/config.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { previewTask } from './commands/preview.ts'
import { previewTasks } from './commands/preview-many.ts'
import { restoreVersion, undoLastChange } from './commands/restore.ts'
import { listPlans, readPlan, readPlanOfRun } from './queries/plans.ts'
import { readPreviews } from './queries/previews.ts'
import { readPlanRows } from './queries/rows.ts'
import { listVersions } from './queries/versions.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; config: Pick<Config, 'versions'> }

const by = (actor: Actor) => ({ category: 'sync' as const, actor })

/** Previews of sync tasks, and what plans change. */
export const plansFeature: Feature<typeof plans, Deps> = {
  calls: plans,
  handlers: {
    preview: ({ params, query, user, signal }, deps) =>
      previewTask(deps, by(user), params.id, { seconds: query.wait, signal }),
    previewMany: ({ body, user }, deps) => previewTasks(deps, by(user), body),
    previews: ({ query }, { db }) => readPreviews(db, readRanges(query.runs) ?? []),
    versions: ({ params }, { db, config }) => listVersions(db, params.id, config.versions),
    undo: ({ params, query, body, user, signal }, deps) => {
      const wanted = { id: params.id, overwrite_edits: body?.overwrite_edits ?? false }
      return undoLastChange(deps, by(user), wanted, { seconds: query.wait, signal })
    },
    restore: ({ params, query, body, user, signal }, deps) => {
      const { id, version: run_id } = params
      const wanted = { id, run_id, overwrite_edits: body?.overwrite_edits ?? false }
      return restoreVersion(deps, by(user), wanted, { seconds: query.wait, signal })
    },
    ofTask: ({ params }, { db }) => listPlans(db, params.id),
    get: ({ params }, { db }) => readPlan(db, params.hash),
    ofRun: ({ params }, { db }) => readPlanOfRun(db, params.id),
    rows: ({ params, query }, { db }) => readPlanRows(db, params.hash, query),
  },
}
