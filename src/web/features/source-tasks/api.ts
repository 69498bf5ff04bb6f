import { limits } from '../../../contract/limits.ts'
import { runs } from '../../../contract/runs/calls.ts'
import { type SourceTask, type SourceTaskDetail, sourceTasks } from '../../../contract/source-tasks/calls.ts'
import { sourceTriggers } from '../../../contract/source-tasks/triggers.ts'
import { sourceTaskTypes } from '../../../contract/task-types/calls.ts'
import { call } from '../../lib/call.ts'
import { saveFile } from '../../lib/save-file.ts'
import { withTimeLimit } from '../../lib/time-limit.ts'
import type { TaskCalls } from '../../tasks/task-model.ts'

const MANUAL = { body: { trigger: 'Manual' } }

/** Gives up after 45 s. */
export const limited = (signal?: AbortSignal) => ({ signal: withTimeLimit(limits.source_timeout_ms, signal) })

/** Of one task, or one type; gives up after 45 s. */
export const of = (id: number, signal?: AbortSignal) => ({ params: { id }, ...limited(signal) })

/** What the shared screens call; each call gives up after 45 s. */
export const sourceTaskCalls: TaskCalls<SourceTask, SourceTaskDetail> = {
  list: async (_page, signal) => {
    const tasks = await call(sourceTasks.list, { query: {}, ...limited(signal) })
    return { tasks, total: tasks.length, pages: 1 }
  },
  statuses: async (signal) => {
    const { tasks, all_running_status, hold_up } = await call(sourceTasks.statusAll, limited(signal))
    return { tasks, all_running: all_running_status, hold_up }
  },
  get: (id, signal) => call(sourceTasks.get, of(id, signal)),
  delete: (id) => call(sourceTasks.delete, of(id)),
  execute: (id) => call(sourceTriggers.triggerTask, { ...of(id), ...MANUAL }),
  stop: (id) => call(sourceTasks.stop, of(id)),
  toggleActive: (id, is_active) => call(sourceTasks.toggleActive, { ...of(id), body: { is_active } }),
  reposition: (id, action) => call(sourceTasks.reposition, { ...of(id), body: { action } }),
  acknowledge: (id, warning_ids) => call(sourceTasks.acknowledge, { ...of(id), body: { warning_ids } }),
  takeBack: (id, warning_ids) => call(sourceTasks.takeBack, { ...of(id), body: { warning_ids } }),
  executeAll: () => call(sourceTriggers.triggerAll, { ...limited(), body: { trigger: 'Manual Run All' } }),
  stopAll: () => call(sourceTasks.stopAll, limited()),
  runGroup: (type_id) =>
    type_id === null
      ? call(sourceTasks.runUntyped, { ...limited(), ...MANUAL })
      : call(sourceTaskTypes.runGroup, { ...of(type_id), ...MANUAL }),
  stopGroup: (type_id) =>
    type_id === null
      ? call(sourceTasks.stopUntyped, limited())
      : call(sourceTaskTypes.stopGroup, { ...of(type_id), ...MANUAL }),
  resetRunningStatus: () => call(sourceTasks.resetRunningStatus, limited()),
  toggleAllActive: (target_state) =>
    call(sourceTasks.toggleAllActive, { ...limited(), body: { target_state } }),
  deleteAll: () => call(sourceTasks.deleteAll, { query: {}, ...limited() }),
  exportCsv: () => saveFile(sourceTasks.exportCsv, limited()),
  logs: (id, signal) =>
    call(sourceTasks.logs, { ...of(id, signal), query: { limit: limits.logs_page_size } }),
  clearLogs: (id) => call(sourceTasks.clearLogs, of(id)),
  runs: (id, cursor, signal) =>
    call(runs.ofSourceTask, { ...of(id, signal), query: cursor === null ? {} : { cursor } }),
  dataColumns: (id, signal) => call(sourceTasks.dataColumns, of(id, signal)),
  dataPage: (id, query, signal) => call(sourceTasks.dataCopy, { ...of(id, signal), query }),
}
