import { formatted } from '../counted.ts'
import { readyByMessages } from './client-messages.ts'

const runs = (count: number) => `${formatted(count)} ${count === 1 ? 'run' : 'runs'}`
const minutes = (seconds: number) => {
  const count = Math.max(1, Math.ceil(seconds / 60))
  return `${formatted(count)} ${count === 1 ? 'minute' : 'minutes'}`
}

/** Texts of forecasts. */
export const forecastMessages = {
  /** The title of an alarm. */
  late: readyByMessages.will_be_late,
  expected: (late: number, at: string, seconds: number) =>
    `${runs(late)} will end ${minutes(seconds)} late, at ${at}`,
  because: {
    quota: (seconds: number) => `waiting ${minutes(seconds)} for the quota`,
    slot: (seconds: number) => `waiting ${minutes(seconds)} for other runs of the type`,
    prerequisites: (seconds: number) => `waiting ${minutes(seconds)} for prerequisites`,
    work: (seconds: number) => `working ${minutes(seconds)}`,
  },
  move: (count: number, at: string) => `Move ${count === 1 ? 'it' : `these ${formatted(count)}`} to ${at}.`,
  other: {
    quota: 'Give the tasks more accounts.',
    slot: 'Let the type run more tasks at the same time.',
    prerequisites: 'Start the prerequisites earlier.',
    work: 'Start earlier.',
  },
  failed: (count: number) =>
    count === 1
      ? 'The last run of a task failed, and it is not scheduled again before this time.'
      : `The last runs of ${formatted(count)} tasks failed, and they are not scheduled again before this time.`,
  run_again: (count: number) => (count === 1 ? 'Run it again.' : 'Run them again.'),
  nothing_due: 'Nothing is scheduled before this time.',
  unmeasured: 'None of its tasks has run successfully yet.',
  no_task: { task: 'The task is inactive.', type: 'No active task has this type.' },
  no_task_writes: 'No active sync task writes to this spreadsheet.',
  removed: 'The time is removed',
  saved: (ready_by: string) => `Ready by ${ready_by} is saved`,
} as const
