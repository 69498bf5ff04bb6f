import { queryOptions } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { type SyncTask, type SyncTaskDetail, syncTasks } from '../../../contract/sync-tasks/calls.ts'
import { syncTaskTypes } from '../../../contract/task-types/calls.ts'
import { call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'
import type { TaskCalls } from '../../tasks/task-model.ts'

const of = (id: number) => ({ params: { id } })

// every task has a type: no group is without one
const ofType = (id: number | null) => ({ params: { id: id ?? 0 } })

/** What the shared screens call. */
export const syncTaskCalls: TaskCalls<SyncTask, SyncTaskDetail> = {
  list: async (page, signal) => {
    const query = { page, limit: limits.tasks_page_size }
    const reply = await call(syncTasks.list, { query, signal })
    return { tasks: reply.syncTasks, total: reply.total, pages: reply.totalPages }
  },
  statuses: async (signal) => {
    const { tasks, all_running_status, hold_up } = await call(syncTasks.statusAll, { signal })
    return { tasks, all_running: all_running_status, hold_up }
  },
  get: (id, signal) => call(syncTasks.get, { ...of(id), signal }),
  delete: (id) => call(syncTasks.delete, of(id)),
  execute: (id) => call(syncTasks.execute, of(id)),
  stop: (id) => call(syncTasks.stop, of(id)),
  toggleActive: (id, is_active) => call(syncTasks.toggleActive, { ...of(id), body: { is_active } }),
  reposition: (id, action) => call(syncTasks.reposition, { ...of(id), body: { action } }),
  acknowledge: (id, warning_ids) => call(syncTasks.acknowledge, { ...of(id), body: { warning_ids } }),
  takeBack: (id, warning_ids) => call(syncTasks.takeBack, { ...of(id), body: { warning_ids } }),
  executeAll: () => call(syncTasks.executeAll, {}),
  stopAll: () => call(syncTasks.stopAll, {}),
  runGroup: (type_id) => call(syncTaskTypes.runGroup, ofType(type_id)),
  stopGroup: (type_id) => call(syncTaskTypes.stopGroup, ofType(type_id)),
  resetRunningStatus: () => call(syncTasks.resetRunningStatus, {}),
  toggleAllActive: (target_state) => call(syncTasks.toggleAllActive, { body: { target_state } }),
  deleteAll: () => call(syncTasks.deleteAll, {}),
  exportCsv: () => saveFile(syncTasks.exportCsv, {}),
  logs: (id, signal) => call(syncTasks.logs, { ...of(id), query: { limit: limits.logs_max }, signal }),
  clearLogs: (id) => call(syncTasks.clearLogs, of(id)),
  runs: (id, cursor, signal) =>
    call(runs.ofSyncTask, { ...of(id), query: cursor === null ? {} : { cursor }, signal }),
  dataColumns: (id, signal) => call(syncTasks.dataColumns, { ...of(id), signal }),
  dataPage: (id, query, signal) => call(syncTasks.dataCopy, { ...of(id), query, signal }),
}

/** Has the runs of a task, as it was read, use the person's own account. */
export const lendAccount = ({ id, updated_at }: SyncTask) =>
  call(syncTasks.useMyAccount, { ...of(id), body: { updated_at } })

/** Lets one run overwrite exactly these unowned cells. */
export const replaceCells = (id: number, hash: string) =>
  call(syncTasks.replaceCells, { ...of(id), body: { hash } })

/** Whether the source of a task can be read; asked only when a person wants to know. */
export const readinessQuery = (id: number) =>
  queryOptions({
    queryKey: [syncTasks.checkReadiness.path, id] as const,
    queryFn: ({ signal }) => call(syncTasks.checkReadiness, { ...of(id), signal }),
    retry: false,
    // a verdict stays while its row is out of sight
    gcTime: Number.POSITIVE_INFINITY,
  })
