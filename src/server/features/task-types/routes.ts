import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'
import { limits } from '../../../contract/limits.ts'
import {
  sourceTaskTypes,
  syncTaskTypes,
  type TaskTypeCalls,
  typeDefaults,
  unifiedTaskTypes,
} from '../../../contract/task-types/calls.ts'
import { sourceTaskTypeFiles, syncTaskTypeFiles } from '../../../contract/task-types/files.ts'
import { exportFile } from '../../csv-jobs/export.ts'
import { acceptImport } from '../../csv-jobs/upload.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import type { Constraints } from '../../platform/postgres/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import { type RunRequest, startGroup, stopGroup } from '../../tasks/run/run-commands.ts'
import { valuesBefore } from '../../tasks/setting-changes/revert.ts'
import { deleteTaskType } from './commands/delete.ts'
import { createTaskType, revertTaskType, updateTaskType } from './commands/edit.ts'
import { orderTaskTypes } from './commands/order.ts'
import { exportName, type FileCategory, shapes } from './csv.ts'
import { categoryOf, readTaskType, readTaskTypes } from './queries.ts'

type Deps = { db: Db; handlers: readonly RunHandler[]; zone: string }

type FileDeps = { db: Db; csvWaitMs: number; now: () => Date; zone: string }
type TaskTypeFileCalls = typeof syncTaskTypeFiles

const constraints: Constraints = {
  task_types_category_name_key: { error: 'type_name_taken', field: 'name' },
  task_types_compiler_config_key: { error: 'compiler_config_taken', field: 'compiler_config_id' },
  task_types_compiler_config_fkey: { error: 'config_gone', field: 'compiler_config_id' },
  task_type_dependencies_self_check: { error: 'depends_on_itself', field: 'depends_on_id' },
  task_type_dependencies_depends_on_fkey: { error: 'dependency_gone', field: 'depends_on_id' },
}

/** Handlers shared by all type lists. The category is fixed, or that of the type. */
const handlersOf = (
  category: TaskCategory | null,
): Pick<Feature<TaskTypeCalls, Deps>['handlers'], Shared> => {
  const of = async (db: Db, id: number) => category ?? (await categoryOf(db, id))
  return {
    get: async ({ params: { id } }, { db, zone }) => readTaskType(db, await of(db, id), id, { zone }),
    update: async ({ params: { id }, body, user }, { db, zone }) => {
      const type = { category: await of(db, id), id }
      const updated_tasks_count = await updateTaskType(db, user, type, body)
      return { ...(await readTaskType(db, type.category, id, { zone })), updated_tasks_count }
    },
    delete: async ({ params: { id }, user }, { db }) =>
      deleteTaskType(db, user, { category: await of(db, id), id }),
    runGroup: async ({ params: { id }, body, user }, { db, handlers }) =>
      startGroup(db, handlers, asked(await of(db, id), user, body), id),
    stopGroup: async ({ params: { id }, body, user }, { db }) =>
      stopGroup(db, asked(await of(db, id), user, body), id),
  }
}

/** For sync tasks the trigger is recorded only if the caller gives one. */
function asked(
  category: TaskCategory,
  actor: Actor,
  { trigger }: { trigger?: string | undefined },
): RunRequest {
  const word = trigger ?? (category === 'sync' ? undefined : limits.trigger_default)
  return { category, actor, ...(word !== undefined && { trigger: word }) }
}

type Shared = 'get' | 'update' | 'delete' | 'runGroup' | 'stopGroup'

/** Task types of one category. */
const taskTypesFeature = (category: TaskCategory, calls: TaskTypeCalls): Feature<TaskTypeCalls, Deps> => ({
  calls,
  handlers: {
    ...handlersOf(category),
    list: (_, { db, zone }) => readTaskTypes(db, { category }, { zone }),
    create: async ({ body, user }, { db, zone }) =>
      readTaskType(db, category, await createTaskType(db, user, category, body), { zone }),
    order: async ({ body, user }, { db, zone }) => {
      await orderTaskTypes(db, user, category, body.order)
      return readTaskTypes(db, { category }, { zone })
    },
  },
  constraints,
})

/** CSV files of the types of one category. */
const taskTypeFilesFeature = (
  category: FileCategory,
  calls: TaskTypeFileCalls,
): Feature<TaskTypeFileCalls, FileDeps> => ({
  calls,
  handlers: {
    importCsv: async ({ upload, user }, { db }) => {
      const file = { type: `${category}_task_type`, shape: shapes[category] } as const
      const job_id = await acceptImport(db, { ...file, actor: user, upload })
      return { status: 'started' as const, message: csvJobServerMessages.type_import_started(job_id), job_id }
    },
    exportCsv: ({ user, signal }, { db, csvWaitMs: limit_ms, ...clock }) =>
      exportFile(
        db,
        { type: `${category}_task_type`, filename: exportName(category, clock), actor: user },
        { limit_ms, signal },
      ),
  },
})

/** CSV files of sync task types. */
export const syncTaskTypeFilesFeature = taskTypeFilesFeature('sync', syncTaskTypeFiles)

/** CSV files of source task types. */
export const sourceTaskTypeFilesFeature = taskTypeFilesFeature('source', sourceTaskTypeFiles)

/** Sync task types. */
export const syncTaskTypesFeature = taskTypesFeature('sync', syncTaskTypes)

/** Source task types. */
export const sourceTaskTypesFeature = taskTypesFeature('source', sourceTaskTypes)

/** Task types of all categories. */
export const unifiedTaskTypesFeature: Feature<typeof unifiedTaskTypes, Deps> = {
  calls: unifiedTaskTypes,
  handlers: {
    ...handlersOf(null),
    list: ({ query: { is_active, ...query } }, { db, zone }) =>
      readTaskTypes(db, { ...query, ...(is_active && { is_active: is_active === 'true' }) }, { zone }),
    create: async ({ body, user }, { db, zone }) => {
      const { task_category: category, chunk_size = typeDefaults[category].chunk_size } = body
      const id = await createTaskType(db, user, category, { ...body, chunk_size })
      return readTaskType(db, category, id, { zone })
    },
    revert: async ({ params: { id }, body, user }, { db, zone }) => {
      const type = { category: await categoryOf(db, id), id }
      const former = await valuesBefore(db, user, { subject: { task_type_id: id }, zone }, body)
      const updated_tasks_count = await revertTaskType(db, type, former)
      return { ...(await readTaskType(db, type.category, id, { zone })), updated_tasks_count }
    },
  },
  constraints,
}
