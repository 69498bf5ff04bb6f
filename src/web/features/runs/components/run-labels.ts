import type { ListedRun } from '../../../../contract/all-runs/calls.ts'
import { planMessages } from '../../../../contract/plans/client-messages.ts'
import type { RunTrigger } from '../../../../contract/runs/calls.ts'
import type { RunState } from '../../../../contract/runs/status.ts'
import type { TaskCategory } from '../../../../contract/tasks/schemas.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import type { Tone } from '../../../ui/badge.tsx'

/** Title of the task of a run, as it was when the run was queued. */
export const titleOfRun = ({
  task_id,
  task_name,
  sheets,
}: Pick<ListedRun, 'task_id' | 'task_name' | 'sheets'>) => taskTitle({ id: task_id, name: task_name, sheets })

/** The same in one text. */
export const nameOfRun = (run: Pick<ListedRun, 'task_id' | 'task_name' | 'sheets'>) =>
  titleText(titleOfRun(run))

/** Label and tone of each state, the same for all categories, as on Home. */
export const stateLabels: Record<RunState, { label: string; tone: Tone }> = {
  queued: { label: 'Queued', tone: 'neutral' },
  running: { label: 'In Progress', tone: 'running' },
  stopping: { label: 'Stopping', tone: 'warning' },
  success: { label: 'Success', tone: 'success' },
  warning: { label: 'Warning', tone: 'warning' },
  failed: { label: 'Failed', tone: 'error' },
  error: { label: 'Error', tone: 'error' },
  stopped: { label: 'Stopped', tone: 'warning' },
}

export const categoryLabels: Record<TaskCategory, string> = {
  sync: 'Sync task',
  source: 'Source task',
  compiler: 'Compile',
}

/** What a run is; previews are made of sync tasks alone. */
export const kindLabel = ({ category, is_preview }: Pick<ListedRun, 'category' | 'is_preview'>) =>
  is_preview ? planMessages.of_sync_task : categoryLabels[category]

export const triggerLabels: Record<RunTrigger, string> = {
  manual: 'One task by hand',
  group: 'A group by hand',
  all: 'All tasks by hand',
  schedule: 'A schedule',
}

/** States by which people filter; some join two states of the engine. */
export const stateChoices = [
  { value: 'live', label: 'Not over', states: ['queued', 'running', 'stopping'] },
  { value: 'queued', label: 'Queued', states: ['queued'] },
  { value: 'running', label: 'In Progress', states: ['running', 'stopping'] },
  { value: 'failed', label: 'Failed', states: ['failed', 'error'] },
  { value: 'warning', label: 'Warning', states: ['warning'] },
  { value: 'success', label: 'Success', states: ['success'] },
  { value: 'stopped', label: 'Stopped', states: ['stopped'] },
] as const satisfies readonly { value: string; label: string; states: readonly RunState[] }[]

/** Page of a run's task; null if the task is deleted. */
export function taskPathOf(run: {
  task_id: number | null
  category: TaskCategory
  config_id: number | null
}): string | null {
  if (run.task_id === null) return null
  if (run.category === 'sync') return `/sync_tasks/${run.task_id}`
  if (run.category === 'source') return `/source_tasks/${run.task_id}`
  return run.config_id === null ? null : `/compiler/${run.config_id}`
}
