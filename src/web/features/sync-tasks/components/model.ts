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
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { StatusDefinition, TaskModel, TaskTexts } from '../../../tasks/task-model.ts'
import { syncTaskCalls } from '../api.ts'
import { formatReceipt, proofOf } from './labels.ts'

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

// Most important first, then alphabetically.
const statuses: readonly (StatusDefinition & { name: SyncTask['task_status'] })[] = [
  { name: 'Error', label: 'Error', tone: 'error', is_failure: true },
  { name: 'Failed', label: 'Failed', tone: 'error', is_failure: true, can_stop: true },
  { name: 'Running', label: taskMessages.in_progress, tone: 'running', is_live: true, can_stop: true },
  { name: 'Success', label: 'Success', tone: 'success' },
  { name: 'Pending', label: 'Pending', tone: 'neutral' },
  { name: 'Queued', label: 'Queued', tone: 'neutral', is_live: true, can_stop: true },
  { name: 'Stopped', label: 'Stopped', tone: 'warning' },
  { name: 'Stopping', label: 'Stopping', tone: 'warning', is_live: true, is_brief: true },
  { name: 'Warning', label: 'Warning', tone: 'warning' },
]

const titleOf = (task: SyncTask) => taskTitle({ id: task.id, name: task.name, sheets: task })

/** Model of sync tasks for the shared screens. */
export const syncTaskModel: TaskModel<SyncTask, SyncTaskDetail> = {
  api: syncTasks.list.path,
  stream: 'tasks',
  poll_ms: limits.status_poll_ms,
  path: '/sync_tasks',
  import_path: '/import_export',
  texts,
  statuses,
  calls: syncTaskCalls,
  may_lack_type: false,
  has_previews: true,
  has_schedule: true,
  usesAccount: () => true,
  filters: [
    {
      param: 'source',
      label: 'Source',
      all: 'All sources',
      options: [
        { value: 'sheet', label: taskMessages.sheet_or_file },
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
  titleOf,
  searched: (task) => [
    task.name,
    titleText(titleOf(task)),
    task.source_ss_name,
    task.source_sheet_name,
    task.source_compiler_config_name ?? '',
    ...task.more_source_names,
    ...task.more_sources.map(({ source_sheet_name }) => source_sheet_name),
    task.target_ss_name,
    task.target_sheet_name,
  ],
  groupOf: ({ sync_task_type_id, task_type }) => ({ id: sync_task_type_id, name: task_type.name }),
  readySubjects: ({ id, name, sync_task_type_id, task_type, target_ss_id, target_ss_name }) => [
    { kind: 'task', id, name },
    { kind: 'type', id: sync_task_type_id, name: task_type.name },
    { kind: 'spreadsheet', spreadsheet_id: target_ss_id, name: target_ss_name || target_ss_id },
  ],
  canRun: () => true,
  targetSpreadsheet: ({ target_ss_id }) => target_ss_id,
  hasData: () => true,
  receiptOf: ({ receipt }) =>
    receipt && 'cells_changed' in receipt
      ? { summary: formatReceipt(receipt), proof: proofOf(receipt) }
      : null,
}
