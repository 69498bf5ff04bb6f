import { syncTaskState, syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { exportFile } from '../../csv-jobs/export.ts'
import { acceptImport } from '../../csv-jobs/upload.ts'
import { importReply } from '../../csv-jobs/wait.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { useOwnAccount } from '../../tasks/accounts/assign-run-account.ts'
import type { FindSpreadsheet } from '../../tasks/accounts/find-spreadsheets.ts'
import { deleteAll, resetRunningStatus, toggleAllActive } from '../../tasks/edit/all-tasks.ts'
import { deleteTask } from '../../tasks/edit/delete-task.ts'
import { repositionTask } from '../../tasks/edit/reposition.ts'
import { toggleActive } from '../../tasks/edit/toggle-active.ts'
import { readStatusAll } from '../../tasks/list/status-all.ts'
import { acknowledgeWarnings, takeBack } from '../../tasks/run/acknowledge-warnings.ts'
import { clearLogs, readLogs } from '../../tasks/run/logs.ts'
import { type RunRequest, startAll, stopAll, stopTask } from '../../tasks/run/run-commands.ts'
import { exportRows, readDataColumns, readDataPage } from '../../tasks/run/stored-rows.ts'
import { runTask } from '../../tasks/run/wait-for-run.ts'
import { valuesBefore } from '../../tasks/setting-changes/revert.ts'
import { taskName } from '../../tasks/task-identity.ts'
import { applyPlan } from './commands/apply-plan.ts'
import { applyPlans } from './commands/apply-plans.ts'
import { constraints } from './commands/constraints.ts'
import { createSyncTask } from './commands/create.ts'
import { pauseSchedule } from './commands/pause-schedule.ts'
import { replaceCells } from './commands/replace-cells.ts'
import { revertSyncTask, updateSyncTask } from './commands/update.ts'
import { shape } from './csv.ts'
import { type CheckSheet, checkReadiness } from './queries/readiness.ts'
import { readRowSample, type SampleRows } from './queries/row-sample.ts'
import { listSyncTasks, readSyncTask, readSyncTaskDetail } from './queries/tasks.ts'

type Deps = {
  db: Db
  handlers: readonly RunHandler[]
  zone: string
  checkSheet: CheckSheet
  sampleRows: SampleRows
  findSpreadsheet: FindSpreadsheet
  /** Maximum time that a call waits for a CSV job, in milliseconds. */
  csvWaitMs: number
}

const file = { type: 'sync_task', shape } as const

const by = (actor: Actor): RunRequest => ({ category: 'sync', actor })

/** Sync tasks. */
export const syncTasksFeature: Feature<typeof syncTasks, Deps> = {
  calls: syncTasks,
  handlers: {
    list: ({ query }, { db, zone }) => listSyncTasks(db, { ...query, zone }),
    statusAll: (_, { db }) => readStatusAll(db, 'sync', syncTaskState),
    get: ({ params }, { db, zone }) => readSyncTaskDetail(db, params.id, zone),
    sampleRows: ({ body, user, signal }, deps) => readRowSample(deps, user, body, signal),
    create: async ({ body, user }, deps) => {
      const { id, warnings } = await createSyncTask(deps, user, body)
      return { ...(await readSyncTask(deps.db, id, deps.zone)), warnings }
    },
    update: async ({ params, body, user }, deps) => {
      const warnings = await updateSyncTask(deps, user, params.id, body)
      return { ...(await readSyncTask(deps.db, params.id, deps.zone)), warnings }
    },
    useMyAccount: async ({ params, body, user }, { db, zone }) => {
      await useOwnAccount(db, user, { category: 'sync', id: params.id, updated_at: body.updated_at })
      return readSyncTask(db, params.id, zone)
    },
    replaceCells: ({ params, body, user }, { db, handlers }) =>
      replaceCells(db, handlers, by(user), { ...params, ...body }),
    revert: async ({ params, body, user }, deps) => {
      const of_task = { subject: { task_id: params.id }, zone: deps.zone }
      const former = await valuesBefore(deps.db, user, of_task, body)
      const warnings = await revertSyncTask(deps, params.id, former)
      return { ...(await readSyncTask(deps.db, params.id, deps.zone)), warnings }
    },
    delete: ({ params, user }, { db }) => deleteTask(db, user, 'sync', params.id),
    execute: ({ params, query, body, user, signal }, deps) => {
      const wait = { seconds: query.wait, signal }
      return body?.plan === undefined
        ? runTask(deps, by(user), params.id, wait)
        : applyPlan(deps, by(user), { id: params.id, hash: body.plan }, wait)
    },
    applyPlans: ({ body, user }, deps) => applyPlans(deps, by(user), body.plans),
    stop: ({ params, user }, { db }) => stopTask(db, by(user), params.id),
    acknowledge: ({ params, body, user }, { db }) =>
      acknowledgeWarnings(db, by(user), params.id, body.warning_ids),
    takeBack: ({ params, body, user }, { db }) => takeBack(db, by(user), params.id, body.warning_ids),
    executeAll: ({ user }, { db, handlers }) => startAll(db, handlers, by(user)),
    stopAll: ({ user }, { db }) => stopAll(db, by(user)),
    resetRunningStatus: ({ user }, { db }) => resetRunningStatus(db, user, 'sync'),
    toggleAllActive: ({ body, user }, { db }) => toggleAllActive(db, user, 'sync', body.target_state),
    deleteAll: ({ query, user }, { db }) => deleteAll(db, user, 'sync', query.force === 'true'),
    reposition: ({ params, body, user }, { db }) =>
      repositionTask(db, user, { category: 'sync', id: params.id, action: body.action }),
    toggleActive: ({ params, body, user }, { db }) =>
      toggleActive(db, user, { category: 'sync', id: params.id, is_active: body.is_active }),
    pauseSchedule: ({ params, body, user }, deps) => pauseSchedule(deps, user, { ...params, ...body }),
    checkReadiness: ({ params, signal }, { db, checkSheet }) =>
      checkReadiness(db, checkSheet, params.id, signal),
    logs: async ({ params, query }, { db, zone }) => {
      await taskName(db, 'sync', params.id)
      return readLogs(db, params.id, query, zone)
    },
    clearLogs: ({ params, user }, { db }) => clearLogs(db, user, { category: 'sync', id: params.id }),
    exportData: ({ params }, { db }) => exportRows(db, { category: 'sync', id: params.id }),
    exportCsv: ({ user, signal }, { db, csvWaitMs: limit_ms }) =>
      exportFile(
        db,
        { ...file, filename: syncTasks.exportCsv.download.filename, actor: user },
        { limit_ms, signal },
      ),
    exportSome: ({ body, user, signal }, { db, csvWaitMs: limit_ms }) =>
      exportFile(
        db,
        { ...file, filename: syncTasks.exportSome.download.filename, actor: user, task_ids: body.ids },
        { limit_ms, signal },
      ),
    importCsv: async ({ upload, user, signal }, { db, csvWaitMs: limit_ms }) =>
      importReply(db, await acceptImport(db, { ...file, actor: user, upload }), { limit_ms, signal }),
    dataColumns: ({ params }, { db }) => readDataColumns(db, { category: 'sync', id: params.id }),
    dataCopy: ({ params, query, signal }, { db }) =>
      readDataPage(db, { category: 'sync', id: params.id }, query, signal),
  },
  constraints,
}
