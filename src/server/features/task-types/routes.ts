import { syncTaskTypes, type TaskTypeCalls } from '../../../contract/task-types.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { startGroup, stopGroup } from '../../tasks/run-commands.ts'
import { createTaskType, deleteTaskType, updateTaskType } from './commands.ts'
import { readTaskType, readTaskTypes } from './queries.ts'

type Deps = { db: Db; handlers: readonly RunHandler[] }

/** The task types of a category: their calls and what answers them. */
const taskTypesFeature = (category: TaskCategory, calls: TaskTypeCalls): Feature<TaskTypeCalls, Deps> => ({
  calls,
  handlers: {
    list: (_, { db }) => readTaskTypes(db, category),
    create: async ({ body, user }, { db }) =>
      readTaskType(db, category, await createTaskType(db, user, category, body)),
    update: async ({ params: { id }, body, user }, { db }) => {
      const updated_tasks_count = await updateTaskType(db, user, { category, id }, body)
      return { ...(await readTaskType(db, category, id)), updated_tasks_count }
    },
    delete: ({ params: { id }, user }, { db }) => deleteTaskType(db, user, { category, id }),
    runGroup: ({ params, user }, { db, handlers }) =>
      startGroup(db, handlers, { category, actor: user }, params.id),
    stopGroup: ({ params, user }, { db }) => stopGroup(db, { category, actor: user }, params.id),
  },
  constraints: {
    task_types_category_name_key: { error: 'type_name_taken', field: 'name' },
    task_type_dependencies_self_check: { error: 'depends_on_itself', field: 'depends_on_id' },
    task_type_dependencies_depends_on_fkey: { error: 'dependency_gone', field: 'depends_on_id' },
  },
})

/** Sync task types. */
export const syncTaskTypesFeature = taskTypesFeature('sync', syncTaskTypes)
