import { limits } from '../../../../contract/limits.ts'
import { syncStatus } from '../../../../contract/runs/status.ts'
import {
  SyncTask,
  type SyncTaskDetail,
  syncTaskState,
  syncTasks,
} from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import type { StatusWord, TaskModel, TaskTexts } from '../../../tasks/task-model.ts'
import { syncTaskCalls } from '../api.ts'
import { displayName, formatReceipt, ownName, proofOf } from './labels.ts'

const texts: TaskTexts = {
  one: 'Sync Task',
  many: 'Sync Tasks',
  add: 'Add task',
  data: 'Copied data',
  numbered: syncTaskMessages.sync_task,
  not_found: syncTaskMessages.sync_task_not_found,
  fetch_list_failed: syncTaskMessages.fetch_sync_tasks_failed,
  fetch_failed: syncTaskMessages.fetch_sync_task_failed,
  execute_failed: syncTaskMessages.execute_failed,
  deleted: syncTaskMessages.sync_task_deleted,
  confirm_delete: syncTaskMessages.confirm_delete_task,
  confirm_delete_all: syncTaskMessages.confirm_delete_all,
  delete_keeps: syncTaskMessages.delete_keeps,
  delete_failed: syncTaskMessages.delete_sync_task_failed,
  all_deleted: syncTaskMessages.all_deleted,
  exported: syncTaskMessages.sync_tasks_exported,
  export_failed: syncTaskMessages.export_sync_tasks_failed,
}

// The ones that matter first, then by alphabet.
const statuses: readonly (StatusWord & { word: SyncTask['task_status'] })[] = [
  { word: 'Error', label: 'Error', tone: 'error', is_failure: true },
  { word: 'Failed', label: 'Failed', tone: 'error', is_failure: true, can_stop: true },
  { word: 'Running', label: taskMessages.in_progress, tone: 'running', is_live: true, can_stop: true },
  { word: 'Success', label: 'Success', tone: 'success' },
  { word: 'Pending', label: 'Pending', tone: 'neutral' },
  { word: 'Queued', label: 'Queued', tone: 'neutral', is_live: true, can_stop: true },
  { word: 'Stopped', label: 'Stopped', tone: 'warning' },
  { word: 'Stopping', label: 'Stopping', tone: 'warning', is_live: true, is_brief: true },
  { word: 'Warning', label: 'Warning', tone: 'warning' },
]

/** Sync tasks as the shared screens know them. */
export const syncTaskModel: TaskModel<SyncTask, SyncTaskDetail> = {
  api: syncTasks.list.path,
  stream: 'tasks',
  poll_ms: limits.status_poll_ms,
  path: '/sync_tasks',
  import_path: '/import_export',
  texts,
  statuses,
  calls: syncTaskCalls,
  filters: [
    {
      param: 'source',
      label: 'Filter by source',
      all: 'All sources',
      options: [
        { value: 'sheet', label: taskMessages.google_sheet },
        { value: 'internal', label: taskMessages.internal_db },
      ],
      passes: ({ source_type }, value) => source_type === value,
    },
  ],
  chips: [],
  stopping: { task_status: 'Stopping' },
  statusOf: ({ task_status }) => task_status,
  isRunning: ({ running_status }) => running_status,
  statusOfRun: syncStatus,
  patchOf: syncTaskState,
  parse: (task) => SyncTask.safeParse(task).data ?? null,
  titleOf: (task) => ({ title: displayName(task), own: ownName(task) }),
  searched: (task) => [
    task.name,
    displayName(task),
    task.source_ss_name,
    task.source_sheet_name,
    task.source_compiler_config_name ?? '',
    task.target_ss_name,
    task.target_sheet_name,
  ],
  groupOf: ({ sync_task_type_id, task_type }) => ({ id: sync_task_type_id, name: task_type.name }),
  canRun: () => true,
  hasData: () => true,
  receiptOf: ({ receipt }) =>
    receipt && 'cells_changed' in receipt
      ? { sentence: formatReceipt(receipt), proof: proofOf(receipt) }
      : null,
}
