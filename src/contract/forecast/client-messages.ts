import { formatted } from '../counted.ts'

const counted = (count: number, word: string) => `${formatted(count)} ${word}${count === 1 ? '' : 's'}`

/** Texts of the times by which tasks have to be ready. */
export const readyByMessages = {
  title: 'Ready by',
  load_failed: 'Failed to load the forecasts',
  save_failed: 'Failed to save the time',
  none: 'No time is set',
  late: 'Late',
  soon_late: 'Will be late',
  was_due: (ready_by: string) => `It was to be ready by ${ready_by} and has not succeeded since`,
  due: (ready_by: string, reason: string) => `It will not be ready by ${ready_by}. ${reason}`,
  will_be_late: (name: string, ready_by: string) => `${name} will not be ready by ${ready_by}`,
  empty: 'No task, type or target has a time by which it has to be ready.',
  empty_hint:
    'Set one for a type here, or for a task or its target spreadsheet on the page of the task. Rowferry then predicts when it will be ready, and raises an alarm before the time if it will be late.',
  set: 'Set a time',
  change: 'Change',
  remove: 'Remove',
  change_of: (name: string) => `Change the time of ${name}`,
  add: 'Add a time',
  choose_type: 'Choose a type',
  what: 'What has to be ready',
  time: (zone: string) => `Ready by (${zone})`,
  time_hint: 'Every day. The forecast and its alarm consider the runs that are scheduled before this time.',
  subject: {
    task: 'This task',
    type: (name: string) => `All tasks of the type ${name}`,
    spreadsheet: (name: string) => `All tasks that write to ${name}`,
  },
  kind: { task: 'Task', type: 'Type', spreadsheet: 'Target spreadsheet' },
  type_short: (name: string) => `type ${name}`,
  spreadsheet_short: (name: string) => `target ${name}`,

  state: { ready: 'Ready', on_time: 'On time', tight: 'Tight', late: 'Late', unknown: 'Unknown' },
  ready_since: (at: string) => `Ready since ${at}`,
  expected: (at: string) => `Expected ${at}`,
  worst: (at: string) => `at worst ${at}`,
  to_spare: (minutes: number) =>
    minutes < 1 ? 'less than a minute to spare' : `${counted(minutes, 'minute')} to spare`,
  making: 'The forecast is being made.',
  basis: (runs: number, tasks: number) => {
    const last = runs === 1 ? 'the last run' : `the last ${formatted(runs)} runs`
    return tasks === 1 ? `From ${last}.` : `From ${last} of ${counted(tasks, 'task')}.`
  },
  unmeasured: (count: number) =>
    `${counted(count, 'task')} ${count === 1 ? 'has' : 'have'} no recent successful run and ${count === 1 ? 'counts' : 'count'} as the average.`,
  too_few: 'Too few runs to predict the worst case.',

  move_changed: 'The schedules have changed. See the new forecast.',
  move_failed: 'Failed to change the schedules',
  marker: (name: string, ready_by: string) => `${name} ready by ${ready_by}`,
} as const
