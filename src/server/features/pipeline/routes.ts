import { pipeline } from '../../../contract/pipeline.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { runPipeline } from './commands/run.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/** All categories of tasks as one pipeline. */
export const pipelineFeature: Feature<typeof pipeline, Deps> = {
  calls: pipeline,
  handlers: {
    run: ({ user }, { db, handlers }) => runPipeline(db, handlers, user),
  },
}
