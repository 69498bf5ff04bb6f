import { sourceColumns } from '../../../contract/remembered-columns/calls.ts'
import { sourceTaskState, sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../contract/source-tasks/client-messages.ts'
import { uploads } from '../../../contract/uploads/calls.ts'
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
import { exportRows, readDataColumns, readDataPage } from '../../tasks/run/stored-rows.ts'
import { valuesBefore } from '../../tasks/setting-changes/revert.ts'
import { taskName } from '../../tasks/task-identity.ts'
import { acceptFile } from './commands/accept-file.ts'
import { constraints } from './commands/constraints.ts'
import { createSourceTask } from './commands/create.ts'
import { nameColumn } from './commands/name-column.ts'
import { revertSourceTask, updateSourceTask } from './commands/update.ts'
import { addUpload, type InspectFile, keepUpload, useUpload } from './commands/uploaded-files.ts'
import { acceptRows, discardRows } from './commands/waiting-rows.ts'
import { readSourceColumns } from './queries/columns.ts'
import { readNumberedPage } from './queries/data.ts'
import { type ReadFileState, readFileState } from './queries/file-state.ts'
import { listSourceTasks, readSourceTask, readSourceTaskDetail } from './queries/tasks.ts'
import { downloadUpload, listUploads, readUpload } from './queries/uploaded-files.ts'

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
  (
    { user, signal, body }: { user: Actor; signal: AbortSignal; body: { ids: number[] } | undefined },
    { db, csvWaitMs: limit_ms }: Deps,
  ) =>
    exportFile(
      db,
      { type: 'source_task', filename, actor: user, ...(body && { task_ids: body.ids }) },
      { limit_ms, signal },
    )

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
    revert: async ({ params, body, user }, deps) => {
      const of_task = { subject: { task_id: params.id }, zone: deps.zone }
      const former = await valuesBefore(deps.db, user, of_task, body)
      const warnings = await revertSourceTask(deps, params.id, former)
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
    exportSome: exportAs(sourceTasks.exportSome.download),
    exportLegacyCsv: exportAs(sourceTasks.exportLegacyCsv.download),
    exportData: ({ params }, { db }) => exportRows(db, one(params.id)),
    data: ({ query, signal }, { db }) => readNumberedPage(db, query, signal),
    dataColumns: ({ params }, { db }) => readDataColumns(db, one(params.id)),
    dataCopy: ({ params, query, signal }, { db }) => readDataPage(db, one(params.id), query, signal),
    logs: async ({ params, query }, { db, zone }) => {
      await taskName(db, 'source', params.id)
      return readLogs(db, params.id, query, zone)
    },
    clearLogs: ({ params, user }, { db }) => clearLogs(db, user, one(params.id)),
  },
  constraints,
}

type FileDeps = Pick<Deps, 'db'> & { inspectFile: InspectFile; fileState: ReadFileState; now: () => Date }

/** Files that source tasks read. */
export const uploadsFeature: Feature<typeof uploads, FileDeps> = {
  calls: uploads,
  handlers: {
    keep: ({ upload, user: actor, signal }, deps) => keepUpload(deps, { actor, upload, signal }),
    add: async ({ params, upload, user: actor, signal }, deps) => {
      const { file_id, warnings } = await addUpload(deps, params.id, { actor, upload, signal })
      return { file: await readUpload(deps.db, { ...params, file_id }), warnings }
    },
    files: ({ params }, { db }) => listUploads(db, params.id),
    use: async ({ params, user }, { db }) => {
      const { warnings } = await useUpload(db, user, params)
      return { file: await readUpload(db, params), warnings }
    },
    state: ({ params }, { db, fileState, now }) => readFileState(db, fileState, params.id, now()),
    download: ({ params }, { db }) => downloadUpload(db, params),
  },
}

/** Columns of source tasks. */
export const sourceColumnsFeature: Feature<typeof sourceColumns, Pick<Deps, 'db'>> = {
  calls: sourceColumns,
  handlers: {
    columns: ({ params }, { db }) => readSourceColumns(db, params.id),
    nameColumn: ({ params, body, user }, { db }) => nameColumn(db, user, { ...params, ...body }),
  },
}
