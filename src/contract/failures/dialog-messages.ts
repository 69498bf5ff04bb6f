import { formatted } from '../counted.ts'

const tasks = (count: number) => `${formatted(count)} ${count === 1 ? 'task' : 'tasks'}`

/** Texts of the actions on failures. */
export const failureActionMessages = {
  run_again: 'Run again',
  run_all_again: (count: number) =>
    count === 1 ? 'Run it again' : `Run all ${formatted(count)} failed again`,
  confirm_run: (count: number) => `Run ${tasks(count)} again?`,
  confirm_run_text: 'They start as soon as slots are free.',
  acknowledge: 'Acknowledge',
  snooze: 'Snooze',
  snooze_item: 'Snooze…',
  snooze_until: 'Snooze until',
  snooze_hint: 'Hidden for all users until then, or until the cause changes.',
  in_an_hour: 'In 1 hour',
  tomorrow: 'Tomorrow 08:00',
  monday: 'Monday 08:00',
  other_time: 'Another time…',
  time: (zone: string) => `Time (${zone})`,
  time_invalid: (days: number) => `Choose a time within ${formatted(days)} days from now.`,
  claim: 'I am on it',
  release: 'Release',
  list_again: 'List again',
  of: (action: string, name: string) => `${action}: ${name}`,
  group: (reason: string, count: number) => (count === 1 ? reason : `${tasks(count)}, ${reason}`),
  times: (count: number) => `${formatted(count)} ×`,
  all_tasks: (count: number) => `All ${tasks(count)}`,
  fewer: 'Show fewer',
  fetch_failed: 'Failed to load the tasks',
  failed: 'Failed to change these tasks',

  marked_title: 'Acknowledged and snoozed',
} as const
