import { limits } from '../../../contract/limits.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { type SourceTask, type SourceTaskDetail, sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceTriggers } from '../../../contract/source-tasks/triggers.ts'
import { call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'
import type { TaskCalls } from '../../tasks/task-model.ts'

// Not needed before a button is pressed, so it is no part of the first load.
const typeCalls = () => import('../../../contract/task-types/calls.ts')

const MANUAL = { body: { trigger: 'Manual' } }

/** Options of a call with the time limit of 45 s. */
export const limited = (signal?: AbortSignal) => ({ signal: withTimeLimit(limits.source_timeout_ms, signal) })

/** The same for a call on one task or type. */
export const of = (id: number, signal?: AbortSignal) => ({ params: { id }, ...limited(signal) })

/** Calls of the shared screens, each with the time limit of 45 s. */
export const sourceTaskCalls: TaskCalls<SourceTask, SourceTaskDetail> = {
  list: async (_page, signal) => {
    const tasks = await call(sourceTasks.list, { query: {}, ...limited(signal) })
    return { tasks, total: tasks.length, pages: 1 }
  },
  statuses: async (signal) => {
    const { tasks, all_running_status, quota_backlog } = await call(sourceTasks.statusAll, limited(signal))
    return { tasks, all_running: all_running_status, quota_backlog }
  },
  get: (id, signal) => call(sourceTasks.get, of(id, signal)),
  revert: (id, body) => call(sourceTasks.revert, { ...of(id), body }),
  delete: (id) => call(sourceTasks.delete, of(id)),
  execute: (id) => call(sourceTriggers.triggerTask, { ...of(id), ...MANUAL }),
  stop: (id) => call(sourceTasks.stop, of(id)),
  toggleActive: (id, is_active) => call(sourceTasks.toggleActive, { ...of(id), body: { is_active } }),
  reposition: (id, action) => call(sourceTasks.reposition, { ...of(id), body: { action } }),
  acknowledge: (id, warning_ids) => call(sourceTasks.acknowledge, { ...of(id), body: { warning_ids } }),
  takeBack: (id, warning_ids) => call(sourceTasks.takeBack, { ...of(id), body: { warning_ids } }),
  executeAll: () => call(sourceTriggers.triggerAll, { ...limited(), body: { trigger: 'Manual Run All' } }),
  stopAll: () => call(sourceTasks.stopAll, limited()),
  runGroup: async (type_id) =>
    type_id === null
      ? call(sourceTasks.runUntyped, { ...limited(), ...MANUAL })
      : call((await typeCalls()).sourceTaskTypes.runGroup, { ...of(type_id), ...MANUAL }),
  stopGroup: async (type_id) =>
    type_id === null
      ? call(sourceTasks.stopUntyped, limited())
      : call((await typeCalls()).sourceTaskTypes.stopGroup, { ...of(type_id), ...MANUAL }),
  resetRunningStatus: () => call(sourceTasks.resetRunningStatus, limited()),
  toggleAllActive: (target_state) =>
    call(sourceTasks.toggleAllActive, { ...limited(), body: { target_state } }),
  deleteAll: () => call(sourceTasks.deleteAll, { query: {}, ...limited() }),
  exportCsv: () => saveFile(sourceTasks.exportCsv, limited()),
  exportSome: (ids) => saveFile(sourceTasks.exportSome, { ...limited(), body: { ids } }),
  types: async (signal) => call((await typeCalls()).sourceTaskTypes.list, limited(signal)),
  logs: (id, query, signal) => call(sourceTasks.logs, { ...of(id, signal), query }),
  clearLogs: (id) => call(sourceTasks.clearLogs, of(id)),
  runs: (id, cursor, signal) =>
    call(runs.ofSourceTask, { ...of(id, signal), query: cursor === null ? {} : { cursor } }),
  dataColumns: (id, signal) => call(sourceTasks.dataColumns, of(id, signal)),
  dataPage: (id, query, signal) => call(sourceTasks.dataCopy, { ...of(id, signal), query }),
  exportData: (id) => saveFile(sourceTasks.exportData, of(id), `source_task_${id}_data_copy.csv`),
}
