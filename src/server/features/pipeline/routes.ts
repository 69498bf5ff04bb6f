import { pipeline } from '../../../contract/pipeline/calls.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { runPipeline } from './commands/run.ts'
import { listAttention } from './queries/attention.ts'
import { type PipelineDeps, readPipeline } from './queries/pipeline.ts'

type Deps = PipelineDeps & { handlers: readonly RunHandler[] }

/** The pipeline of all task categories. */
export const pipelineFeature: Feature<typeof pipeline, Deps> = {
  calls: pipeline,
  handlers: {
    attention: ({ query }, { db }) => listAttention(db, query),
    read: (_, deps) => readPipeline(deps),
    run: ({ user }, { db, handlers }) => runPipeline(db, handlers, user),
  },
}
