import { syncTasks } from '../../../contract/sync-tasks.ts'
import type { Db, Job } from '../../engine/types.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { deleteAll, executeAll, resetRunningStatus, stopAll, toggleAllActive } from './commands/all.ts'
import { clearLogs } from './commands/clear-logs.ts'
import { createSyncTask } from './commands/create.ts'
import { deleteSyncTask } from './commands/delete.ts'
import { keepOrder } from './commands/keep-order.ts'
import { repositionSyncTask } from './commands/reposition.ts'
import { executeSyncTask, stopSyncTask } from './commands/run.ts'
import { toggleActive } from './commands/toggle-active.ts'
import { updateSyncTask } from './commands/update.ts'
import { readDataColumns, readDataPage } from './queries/data-copy.ts'
import { readLogs } from './queries/logs.ts'
import { type CheckSheet, checkReadiness } from './queries/readiness.ts'
import {
  listSyncTasks,
  readStatusAll,
  readSyncTask,
  readSyncTaskDetail,
  syncTaskName,
} from './queries/tasks.ts'

type Deps = { db: Db; jobs: readonly Job[]; zone: string; checkSheet: CheckSheet }

/** Sync tasks: their calls and what answers them. */
export const syncTasksFeature: Feature<typeof syncTasks, Deps> = {
  calls: syncTasks,
  handlers: {
    list: ({ query }, { db, zone }) => listSyncTasks(db, { ...query, zone }),
    statusAll: (_, { db }) => readStatusAll(db),
    get: ({ params }, { db, zone }) => readSyncTaskDetail(db, params.id, zone),
    create: async ({ body, user }, { db, zone }) =>
      readSyncTask(db, await createSyncTask(db, user, body), zone),
    update: async ({ params, body, user }, { db, zone }) => {
      await updateSyncTask(db, user, params.id, body)
      return readSyncTask(db, params.id, zone)
    },
    delete: ({ params, user }, { db }) => deleteSyncTask(db, user, params.id),
    execute: ({ params, user }, { db, jobs }) => executeSyncTask(db, jobs, user, params.id),
    stop: ({ params, user }, { db }) => stopSyncTask(db, user, params.id),
    executeAll: ({ user }, { db, jobs }) => executeAll(db, jobs, user),
    stopAll: ({ user }, { db }) => stopAll(db, user),
    resetRunningStatus: ({ user }, { db }) => resetRunningStatus(db, user),
    toggleAllActive: ({ body, user }, { db }) => toggleAllActive(db, user, body.target_state),
    deleteAll: ({ query, user }, { db }) => deleteAll(db, user, query.force === 'true'),
    reposition: ({ params, body, user }, { db }) => repositionSyncTask(db, user, params.id, body.action),
    toggleActive: ({ params, body, user }, { db }) => toggleActive(db, user, params.id, body.is_active),
    checkReadiness: ({ params, signal }, { db, checkSheet }) =>
      checkReadiness(db, checkSheet, params.id, signal),
    logs: async ({ params, query }, { db, zone }) => {
      await syncTaskName(db, params.id)
      return readLogs(db, params.id, query.limit, zone)
    },
    clearLogs: ({ params, user }, { db }) => clearLogs(db, user, params.id),
    dataColumns: ({ params }, { db }) => readDataColumns(db, params.id),
    dataCopy: async ({ params, query }, { db }) => {
      await keepOrder(db, params.id, query.sort)
      return readDataPage(db, params.id, query)
    },
  },
  constraints: {
    tasks_type_name_key: { error: 'name_taken', field: 'name' },
    tasks_task_type_fkey: { error: 'type_gone', field: 'sync_task_type_id' },
    sync_tasks_preset_fkey: { error: 'preset_gone', field: 'sync_preset_id' },
    sync_tasks_compiler_config_fkey: { error: 'config_gone', field: 'source_compiler_config_id' },
    sync_tasks_source_check: { error: 'source_spreadsheet_required', field: 'source_ss_id' },
    sync_tasks_config_check: { error: 'config_required', field: 'source_compiler_config_id' },
    sync_tasks_source_is_target_check: { error: 'source_is_target', field: 'target_sheet_name' },
    sync_tasks_source_target_key: { error: 'source_target_taken', field: 'target_sheet_name' },
    sync_tasks_target_key: { error: 'target_taken', field: 'target_sheet_name' },
  },
}
