import { sourceTaskState, sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { exportFile } from '../../csv-jobs/export.ts'
import { importReply } from '../../csv-jobs/wait.ts'
import type { CsvDefinitions } from '../../csv-jobs/worker.ts'
import type { RunHandler } from '../../engine/types.ts'
import type { Actor } from '../../platform/audit.ts'
import type { Db } from '../../platform/db.ts'
import type { Feature } from '../../platform/http/feature.ts'
import { useOwnAccount } from '../../tasks/accounts/assign-run-account.ts'
import type { FindSpreadsheet } from '../../tasks/accounts/find-spreadsheets.ts'
import { deleteAll, resetRunningStatus, toggleAllActive } from '../../tasks/edit/all-tasks.ts'
import { deleteTask } from '../../tasks/edit/delete-task.ts'
import { reorderTasks } from '../../tasks/edit/reorder.ts'
import { repositionTask } from '../../tasks/edit/reposition.ts'
import { toggleActive } from '../../tasks/edit/toggle-active.ts'
import { readStatusAll } from '../../tasks/list/status-all.ts'
import { acknowledgeWarnings, takeBack } from '../../tasks/run/acknowledge-warnings.ts'
import { clearLogs, readLogs } from '../../tasks/run/logs.ts'
import { type RunRequest, startGroup, stopAll, stopGroup, stopTask } from '../../tasks/run/run-commands.ts'
import { readDataColumns, readDataPage } from '../../tasks/run/stored-rows.ts'
import { taskName } from '../../tasks/task-identity.ts'
import { acceptFile } from './commands/accept-file.ts'
import { constraints } from './commands/constraints.ts'
import { createSourceTask } from './commands/create.ts'
import { updateSourceTask } from './commands/update.ts'
import { acceptRows, discardRows } from './commands/waiting-rows.ts'
import { exportRows, readNumberedPage } from './queries/data.ts'
import { listSourceTasks, readSourceTask, readSourceTaskDetail } from './queries/tasks.ts'

type Deps = {
  db: Db
  handlers: readonly RunHandler[]
  zone: string
  findSpreadsheet: FindSpreadsheet
  csvDefinitions: CsvDefinitions
  /** Maximum time that a call waits for a CSV job, in milliseconds. */
  csvWaitMs: number
}

const by = (actor: Actor, trigger?: string): RunRequest => ({
  category: 'source',
  actor,
  ...(trigger === undefined ? {} : { trigger }),
})
const one = (id: number) => ({ category: 'source', id }) as const

/** Exports all source tasks and waits for the job. */
const exportAs =
  ({ filename }: { filename: string }) =>
  ({ user, signal }: { user: Actor; signal: AbortSignal }, { db, csvWaitMs: limit_ms }: Deps) =>
    exportFile(db, { type: 'source_task', filename, actor: user }, { limit_ms, signal })

/** Source tasks. */
export const sourceTasksFeature: Feature<typeof sourceTasks, Deps> = {
  calls: sourceTasks,
  handlers: {
    list: ({ query }, { db, zone }) => listSourceTasks(db, query, zone),
    statusAll: (_, { db }) => readStatusAll(db, 'source', sourceTaskState),
    get: ({ params }, { db, zone }) => readSourceTaskDetail(db, params.id, zone),
    create: async ({ body, user }, deps) => {
      const { id, warnings } = await createSourceTask(deps, user, body)
      return { ...(await readSourceTask(deps.db, id, deps.zone)), warnings }
    },
    update: async ({ params, body, user }, deps) => {
      const warnings = await updateSourceTask(deps, user, params.id, body)
      return { ...(await readSourceTask(deps.db, params.id, deps.zone)), warnings }
    },
    delete: ({ params, user }, { db }) => deleteTask(db, user, 'source', params.id),
    useMyAccount: async ({ params, body, user }, { db, zone }) => {
      await useOwnAccount(db, user, { ...one(params.id), updated_at: body.updated_at })
      return readSourceTask(db, params.id, zone)
    },
    stop: ({ params, user }, { db }) => stopTask(db, by(user), params.id),
    stopAll: ({ user }, { db }) => stopAll(db, by(user)),
    runUntyped: ({ body, user }, { db, handlers }) => startGroup(db, handlers, by(user, body.trigger), null),
    stopUntyped: ({ user }, { db }) => stopGroup(db, by(user), null),
    acknowledge: ({ params, body, user }, { db }) =>
      acknowledgeWarnings(db, by(user), params.id, body.warning_ids),
    takeBack: ({ params, body, user }, { db }) => takeBack(db, by(user), params.id, body.warning_ids),
    acceptRows: ({ params, body, user }, { db }) => acceptRows(db, user, { ...params, ...body }),
    discardRows: ({ params, body, user }, { db }) => discardRows(db, user, { ...params, ...body }),
    resetRunningStatus: ({ user }, { db }) => resetRunningStatus(db, user, 'source'),
    toggleActive: ({ params, body, user }, { db }) =>
      toggleActive(db, user, { ...one(params.id), is_active: body.is_active }),
    toggleAllActive: ({ body, user }, { db }) => toggleAllActive(db, user, 'source', body.target_state),
    deleteAll: ({ query, user }, { db }) => deleteAll(db, user, 'source', query.force === 'true'),
    reposition: ({ params, body, user }, { db }) =>
      repositionTask(db, user, { ...one(params.id), action: body.action }),
    reorder: async ({ body: { task_ids: ids }, user }, { db }) => {
      await reorderTasks(db, user, { category: 'source', ids })
      return { status: 'success', message: sourceMessages.reordered(ids.length), reordered_count: ids.length }
    },
    importCsv: async ({ upload, user, signal }, { db, csvDefinitions, csvWaitMs: limit_ms }) =>
      importReply(db, await acceptFile(db, csvDefinitions, { actor: user, upload }), { limit_ms, signal }),
    exportCsv: exportAs(sourceTasks.exportCsv.download),
    exportLegacyCsv: exportAs(sourceTasks.exportLegacyCsv.download),
    exportData: ({ params }, { db }) => exportRows(db, params.id),
    data: ({ query, signal }, { db }) => readNumberedPage(db, query, signal),
    dataColumns: ({ params }, { db }) => readDataColumns(db, one(params.id)),
    dataCopy: ({ params, query, signal }, { db }) => readDataPage(db, one(params.id), query, signal),
    logs: async ({ params, query }, { db, zone }) => {
      await taskName(db, 'source', params.id)
      return readLogs(db, params.id, query.limit, zone)
    },
    clearLogs: ({ params, user }, { db }) => clearLogs(db, user, one(params.id)),
  },
  constraints,
}
