import { syncTaskTypes } from '../../../contract/task-types.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { startGroup, stopGroup } from '../../tasks/run-commands.ts'
import { createSyncTaskType, deleteSyncTaskType, updateSyncTaskType } from './commands.ts'
import { readSyncTaskType, readSyncTaskTypes } from './queries.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/** Sync task types: their calls and what answers them. */
export const taskTypesFeature: Feature<typeof syncTaskTypes, Deps> = {
  calls: syncTaskTypes,
  handlers: {
    list: (_, { db }) => readSyncTaskTypes(db),
    create: async ({ body, user }, { db }) => readSyncTaskType(db, await createSyncTaskType(db, user, body)),
    update: async ({ params, body, user }, { db }) => {
      const updated_tasks_count = await updateSyncTaskType(db, user, params.id, body)
      return { ...(await readSyncTaskType(db, params.id)), updated_tasks_count }
    },
    delete: ({ params, user }, { db }) => deleteSyncTaskType(db, user, params.id),
    runGroup: ({ params, user }, { db, handlers }) =>
      startGroup(db, handlers, { category: 'sync', actor: user }, params.id),
    stopGroup: ({ params, user }, { db }) => stopGroup(db, { category: 'sync', actor: user }, params.id),
  },
  constraints: {
    task_types_category_name_key: { error: 'type_name_taken', field: 'name' },
    task_type_dependencies_self_check: { error: 'depends_on_itself', field: 'depends_on_id' },
    task_type_dependencies_depends_on_fkey: { error: 'dependency_gone', field: 'depends_on_id' },
  },
}
