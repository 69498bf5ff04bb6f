import type { StreamOf } from '../contract/events/calls.ts'
import type { TaskState } from '../contract/tasks/schemas.ts'
import { readTouched } from './features/events/queries/changes.ts'
import { followTasks, type Live } from './features/events/queries/live.ts'
import { followPipeline } from './features/events/queries/live-pipeline.ts'
import { followRuns } from './features/events/queries/live-runs.ts'
import { followTypes } from './features/events/queries/live-types.ts'
import { readPipelineState } from './features/pipeline/queries/pipeline.ts'
import type { Quota } from './features/pipeline/queries/quota.ts'
import { readListed } from './features/runs/queries/listed.ts'
import { readSourceTasks } from './features/source-tasks/queries/tasks.ts'
import { readSyncTasks } from './features/sync-tasks/queries/tasks.ts'
import type { Db } from './platform/db.ts'
import { taskStates } from './tasks/list/task-states.ts'

/** The live streams by subject. */
export type LiveStreams = Record<StreamOf, Live>

// An edited configuration is read again by its pages; the states show who marked or claimed its last run.
async function readCompilerStates(db: Db, ids: readonly number[], zone: string): Promise<TaskState[]> {
  const nothing = new Set<number>()
  const configs = await readTouched(db, 'compiler', { tasks: new Set(ids), moved: nothing })
  return [...(await taskStates(db, configs, zone)).values()]
}

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
      readTasks: (ids) => readCompilerStates(db, ids, zone),
    }),
    types: followTypes(options),
    runs: followRuns({ ...options, readRuns: (ids) => readListed(db, ids) }),
    pipeline: followPipeline({ ...options, read: () => readPipelineState(options) }),
  }
  return {
    live,
    close: async () => {
      await Promise.all(Object.values(live).map((stream) => stream.close()))
    },
  }
}
