import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { runLimits } from '../../../contract/run-limits/calls.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { type SyncTask, type SyncTaskDetail, syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { call, type RequestOf } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'
import type { TaskCalls } from '../../tasks/task-model.ts'

const of = (id: number) => ({ params: { id } })

// Not needed before a button is pressed, so it is no part of the first load.
const typeCalls = () => import('../../../contract/task-types/calls.ts')

// Every sync task has a type, so the id of a group is never null.
const ofType = (id: number | null) => ({ params: { id: id ?? 0 } })

/** Calls of the shared screens. */
export const syncTaskCalls: TaskCalls<SyncTask, SyncTaskDetail> = {
  list: async (page, signal) => {
    const query = { page, limit: limits.tasks_page_size }
    const reply = await call(syncTasks.list, { query, signal })
    return { tasks: reply.syncTasks, total: reply.total, pages: reply.totalPages }
  },
  statuses: async (signal) => {
    const { tasks, all_running_status, quota_backlog } = await call(syncTasks.statusAll, { signal })
    return { tasks, all_running: all_running_status, quota_backlog }
  },
  get: (id, signal) => call(syncTasks.get, { ...of(id), signal }),
  revert: (id, body) => call(syncTasks.revert, { ...of(id), body }),
  delete: (id) => call(syncTasks.delete, of(id)),
  execute: (id) => call(syncTasks.execute, of(id)),
  stop: (id) => call(syncTasks.stop, of(id)),
  toggleActive: (id, is_active) => call(syncTasks.toggleActive, { ...of(id), body: { is_active } }),
  reposition: (id, action) => call(syncTasks.reposition, { ...of(id), body: { action } }),
  acknowledge: (id, warning_ids) => call(syncTasks.acknowledge, { ...of(id), body: { warning_ids } }),
  takeBack: (id, warning_ids) => call(syncTasks.takeBack, { ...of(id), body: { warning_ids } }),
  executeAll: () => call(syncTasks.executeAll, {}),
  stopAll: () => call(syncTasks.stopAll, {}),
  runGroup: async (type_id) => call((await typeCalls()).syncTaskTypes.runGroup, ofType(type_id)),
  stopGroup: async (type_id) => call((await typeCalls()).syncTaskTypes.stopGroup, ofType(type_id)),
  resetRunningStatus: () => call(syncTasks.resetRunningStatus, {}),
  toggleAllActive: (target_state) => call(syncTasks.toggleAllActive, { body: { target_state } }),
  deleteAll: () => call(syncTasks.deleteAll, {}),
  exportCsv: () => saveFile(syncTasks.exportCsv, {}),
  exportSome: (ids) => saveFile(syncTasks.exportSome, { body: { ids } }),
  types: async (signal) => call((await typeCalls()).syncTaskTypes.list, { signal }),
  logs: (id, query, signal) => call(syncTasks.logs, { ...of(id), query, signal }),
  clearLogs: (id) => call(syncTasks.clearLogs, of(id)),
  runs: (id, cursor, signal) =>
    call(runs.ofSyncTask, { ...of(id), query: cursor === null ? {} : { cursor }, signal }),
  dataColumns: (id, signal) => call(syncTasks.dataColumns, { ...of(id), signal }),
  dataPage: (id, query, signal) => call(syncTasks.dataCopy, { ...of(id), query, signal }),
  exportData: (id) => saveFile(syncTasks.exportData, of(id), `sync_task_${id}_data_copy.csv`),
}

/** Reads the first rows of a source; null: none is chosen yet. */
export const rowSampleQuery = (body: RequestOf<typeof syncTasks.sampleRows>['body'] | null) =>
  queryOptions({
    queryKey: ['row_sample', body],
    queryFn: ({ signal }) => (body === null ? null : call(syncTasks.sampleRows, { body, signal })),
    // Editing back and forth within a minute reads nothing again.
    staleTime: limits.sample_fresh_ms,
    retry: false,
  })

/** Assigns the user's own account to the runs of a task, if the task is unchanged since it was read. */
export const assignAccount = ({ id, updated_at }: SyncTask) =>
  call(syncTasks.useMyAccount, { ...of(id), body: { updated_at } })

/** Saves the notes of a task, if it is unchanged since the version `updated_at`. */
export const saveNotes = (id: number, body: { notes: string; updated_at: string }) =>
  call(syncTasks.update, { ...of(id), body })

/** Lets one run overwrite exactly these unowned cells. */
export const replaceCells = (id: number, hash: string) =>
  call(syncTasks.replaceCells, { ...of(id), body: { hash } })

/** Starts a run that writes exactly the rows of a plan, whatever limits it exceeds. */
export const runOnce = (id: number, plan: string) =>
  call(syncTasks.execute, { ...of(id), query: {}, body: { plan } })

/** Pauses or resumes every schedule by which a task runs. */
export const pauseSchedule = (id: number, is_paused: boolean) =>
  call(syncTasks.pauseSchedule, { ...of(id), body: { is_paused } })

/** The limits of tasks that do not set their own. */
export const limitDefaultsQuery = queryOptions({
  queryKey: [runLimits.defaults.path] as const,
  queryFn: ({ signal }) => call(runLimits.defaults, { signal }),
})

/** Checks whether the source of a task can be read; only on request. */
export const readinessQuery = (id: number) =>
  queryOptions({
    queryKey: [syncTasks.checkReadiness.path, id] as const,
    queryFn: ({ signal }) => call(syncTasks.checkReadiness, { ...of(id), signal }),
    retry: false,
    // A result remains while its row is not rendered.
    gcTime: Number.POSITIVE_INFINITY,
  })
