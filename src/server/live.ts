import type { StreamOf } from '../contract/events/calls.ts'
import { followTasks, type Live } from './features/events/queries/live.ts'
import { followPipeline } from './features/events/queries/live-pipeline.ts'
import { followTypes } from './features/events/queries/live-types.ts'
import { readPipelineState } from './features/pipeline/queries/pipeline.ts'
import type { Quota } from './features/pipeline/queries/quota.ts'
import { readSourceTasks } from './features/source-tasks/queries/tasks.ts'
import { readSyncTasks } from './features/sync-tasks/queries/tasks.ts'
import type { Db } from './platform/db.ts'

/** The live streams by subject. */
export type LiveStreams = Record<StreamOf, Live>

/** Follows changes for all clients of this process until it is closed. */
export function followAll(options: {
  db: Db
  databaseUrl: string
  zone: string
  quota: Quota
  onError: (error: unknown) => void
}): { live: LiveStreams; close: () => Promise<void> } {
  const { db, zone } = options
  const live = {
    tasks: followTasks({ ...options, category: 'sync', readTasks: (ids) => readSyncTasks(db, ids, zone) }),
    source_tasks: followTasks({
      ...options,
      category: 'source',
      readTasks: (ids) => readSourceTasks(db, ids, zone),
    }),
    compiler_tasks: followTasks({
      ...options,
      category: 'compiler',
      readTasks: async (ids) => ids.map((id) => ({ id })),
    }),
    types: followTypes(options),
    pipeline: followPipeline({ ...options, read: () => readPipelineState(options) }),
  }
  return {
    live,
    close: async () => {
      await Promise.all(Object.values(live).map((stream) => stream.close()))
    },
  }
}
