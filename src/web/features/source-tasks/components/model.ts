import { isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceStatus } from '../../../../contract/runs/status.ts'

import {
  SourceTask,
  type SourceTaskDetail,
  sourceTaskState,
  sourceTasks,
} from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { openWarnings } from '../../../tasks/state/progress-labels.ts'
import type { Chip, StatusDefinition, TaskModel, TaskTexts } from '../../../tasks/task-model.ts'
import { sourceTaskCalls } from '../api.ts'
import { formatReceipt, originNames } from './labels.ts'

const texts: TaskTexts = {
  one: 'Source Task',
  many: 'Source Tasks',
  add: 'Add Source Task',
  data: 'View Data',
  numbered: sourceMessages.numbered,
  not_found: sourceMessages.not_found,
  fetch_list_failed: sourceMessages.fetch_list_failed,
  fetch_failed: sourceMessages.fetch_failed,
  execute_failed: sourceMessages.execute_failed,
  deleted: sourceMessages.deleted,
  confirm_delete: sourceMessages.confirm_delete,
  confirm_delete_all: sourceMessages.confirm_delete_all,
  delete_keeps: sourceMessages.delete_keeps,
  delete_failed: sourceMessages.delete_failed,
  all_deleted: sourceMessages.all_deleted,
  exported: sourceMessages.exported,
  export_failed: sourceMessages.export_failed,
}

/** The statuses of the specification, and `warning` for a completed run with unacknowledged warnings. */
type ShownStatus = SourceTask['running_status'] | 'warning'

const shownStatus = (status: SourceTask['running_status'], has_warnings: boolean): ShownStatus =>
  status === 'completed' && has_warnings ? 'warning' : status

// Most important first.
const statuses: readonly (StatusDefinition & { name: ShownStatus })[] = [
  { name: 'failed', label: 'Failed', tone: 'error', is_failure: true },
  { name: 'email_sent', label: 'Email sent', tone: 'purple', is_failure: true },
  { name: 'warning', label: 'Warning', tone: 'warning' },
  { name: 'running', label: 'Running', tone: 'working', is_live: true, can_stop: true },
  { name: 'completed', label: 'Completed', tone: 'info' },
  { name: 'pending', label: 'Pending', tone: 'neutral', is_live: true, can_stop: true },
  { name: 'stopped', label: 'Stopped', tone: 'warning' },
  { name: 'new', label: 'New', tone: 'light' },
]

const RECENT_MS = limits.source_recent_minutes * 60_000

const chips: readonly Chip<SourceTask>[] = [
  {
    param: 'failed',
    label: 'Failed',
    passes: ({ running_status }) => running_status === 'failed' || running_status === 'email_sent',
  },
  { param: 'errors', label: 'Has Errors', passes: ({ last_error }) => last_error !== null },
  {
    param: 'recent',
    label: 'Recent',
    passes: ({ updated_at, pulled_at }, now) =>
      [updated_at, pulled_at].some((moment) => moment !== null && now - Date.parse(moment) <= RECENT_MS),
  },
]

/** Model of source tasks for the shared screens. */
export const sourceTaskModel: TaskModel<SourceTask, SourceTaskDetail> = {
  api: sourceTasks.list.path,
  stream: 'source_tasks',
  poll_ms: limits.source_poll_ms,
  path: '/source_tasks',
  import_path: '/source_tasks',
  texts,
  trigger: 'Manual',
  statuses,
  calls: sourceTaskCalls,
  may_lack_type: true,
  has_schedule: false,
  usesAccount: ({ source_type, spreadsheet_id }) => source_type === 'sheet' && !isFilePath(spreadsheet_id),
  filters: [
    {
      param: 'origin',
      label: 'Source',
      all: 'All sources',
      options: Object.entries(originNames).map(([value, label]) => ({ value, label })),
      passes: ({ source_type }, value) => source_type === value,
    },
  ],
  chips,
  stopping: {},
  statusOf: (task) => shownStatus(task.running_status, openWarnings(task).length > 0),
  isRunning: ({ is_running }) => is_running,
  statusOfRun: (state) => shownStatus(sourceStatus(state, false), state === 'warning'),
  patchOf: sourceTaskState,
  parse: (task) => SourceTask.safeParse(task).data ?? null,
  titleOf: ({ name }) => ({ title: name, detail: '' }),
  searched: ({ name }) => [name],
  groupOf: ({ source_task_type_id, source_task_type_name }) => ({
    id: source_task_type_id,
    name: source_task_type_name ?? sourceMessages.no_type,
  }),
  readySubjects: ({ id, name, source_task_type_id: type_id, source_task_type_name: type }) => [
    { kind: 'task', id, name },
    ...(type_id === null ? [] : [{ kind: 'type' as const, id: type_id, name: type ?? '' }]),
  ],
  canRun: ({ is_active }) => is_active,
  hasData: ({ running_status }) => running_status === 'completed',
  receiptOf: ({ receipt }) =>
    receipt && 'is_changed' in receipt
      ? { summary: formatReceipt(receipt), proof: sourceMessages.checksum(receipt.hash.slice(0, 12)) }
      : null,
}
