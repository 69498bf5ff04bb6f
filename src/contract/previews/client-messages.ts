import { formatted } from '../counted.ts'

const counted = (count: number, one: string) => `${formatted(count)} ${one}${count === 1 ? '' : 's'}`
const inTasks = (count: number) => `in ${counted(count, 'task')}`

/** Texts of previews of several tasks, and of the page that sums them up. */
export const previewMessages = {
  title: 'Previews',
  progress: (over: number, all: number) => `${formatted(over)} of ${counted(all, 'preview')} ready`,
  ready: (all: number) => `${counted(all, 'preview')} ready`,
  loading: 'Loading the previews',
  fetch_failed: 'Failed to load the previews.',
  none: 'There are no previews here',
  none_hint:
    'Their runs are no longer kept, or the address names none. Select sync tasks in their list to preview them.',
  to_list: 'To the sync tasks',
  again: 'New previews',
  start_failed: 'Failed to start the previews',
  total: 'In total',
  list: 'Previews',
  column: { task: 'Task', state: 'Preview', change: 'What a run would change', actions: 'Actions' },
  outcome: {
    failed: 'Failed',
    danger: 'Loses data',
    change: 'Changes',
    live: 'Comparing',
    nothing: 'No change',
  },
  comparing: 'Comparing source and target',
  deleted: 'The task was deleted',
  write: 'Write',
  write_one: (task: string) => `Write the rows of ${task}`,
  write_all: (count: number) =>
    count === 0 ? 'Write all plans' : count === 1 ? 'Write this plan' : `Write all ${formatted(count)} plans`,
  nothing_to_write: 'No plan here can be written',
  confirm: (count: number) => (count === 1 ? 'Write this plan?' : `Write ${counted(count, 'plan')}?`),
  confirm_text:
    'Each run writes exactly the rows of its plan, whatever the source holds by then. Where the target has changed since, nothing is written.',
  confirm_losses: (count: number) => `${counted(count, 'plan')} ${count === 1 ? 'loses' : 'lose'} data:`,
  confirm_refused: (count: number) =>
    `${counted(count, 'plan')} cannot be written and ${count === 1 ? 'is' : 'are'} left out.`,
  and_more: (count: number) => `and ${formatted(count)} more`,
  failed: (count: number) => `${counted(count, 'preview')} did not end well`,
  removed: (count: number, tasks: number) => `${counted(count, 'row')} removed, ${inTasks(tasks)}`,
  emptied: (count: number, tasks: number) => `${counted(count, 'cell')} emptied, ${inTasks(tasks)}`,
  headers: (count: number, tasks: number) =>
    `${counted(count, 'header')} changed, added or removed, ${inTasks(tasks)}`,
  unowned: (count: number, tasks: number) =>
    `${counted(count, 'cell')} that tasks do not own would be overwritten, ${inTasks(tasks)}`,
  beside: (count: number, tasks: number) =>
    `${counted(count, 'cell')} would end up beside another row, ${inTasks(tasks)}`,
  changed: (count: number, tasks: number) => `${counted(count, 'cell')} changed, ${inTasks(tasks)}`,
  added: (count: number, tasks: number) => `${counted(count, 'row')} added, ${inTasks(tasks)}`,
  moved: (count: number, tasks: number) => `${counted(count, 'row')} only moved, ${inTasks(tasks)}`,
  formats: (count: number, tasks: number) =>
    `Number formats of ${counted(count, 'column')} changed, ${inTasks(tasks)}`,
  nothing: (tasks: number) => `Nothing changes ${inTasks(tasks)}`,
  cost: (requests: number, seconds: number) =>
    `About ${counted(requests, 'request')} and ${counted(Math.max(1, Math.round(seconds)), 'second')}`,

  preview_all: 'Preview all',
  preview_these: (count: number) => (count === 1 ? 'Preview this one' : `Preview these ${formatted(count)}`),
  preview_pipeline: 'Preview the sync tasks',
  of_group: (button: string, group: string) => `${button} of ${group}`,
} as const
