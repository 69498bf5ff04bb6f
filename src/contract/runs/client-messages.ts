import { formatted } from '../counted.ts'

/** Texts of what runs wait for, and of their warnings. */
export const runMessages = {
  // what a live run waits for
  wait_quota: (service: string, about: string) => `Waiting for ${service}’s quota${about && `, ${about}`}`,
  wait_backoff: (reason: string, when: string) =>
    `${reason.replace(/\.$/, '')}, trying again${when && ` ${when}`}`,
  wait_retry: (attempt: number, when: string, error: string) =>
    `Attempt ${attempt} starts ${when || 'in a moment'}${error && `: ${error}`}`,
  wait_worker: 'No worker is running: it starts when one is',
  wait_prerequisites: (types: string[]) => `Waits for ${types.join(', ')}`,
  wait_inputs: (tasks: string[], more: number) =>
    `Waits for ${tasks.join(', ')}${more > 0 ? ` and ${formatted(more)} more` : ''}`,
  wait_target: (task: string) => `Waits for ${task}, which writes to the same sheet`,
  wait_slot: (type: string | null, at_work: number, slots: number) =>
    `${type ?? 'The system'} is busy (${at_work} of ${slots})`,
  wait_delay: (type: string | null, when: string) =>
    `Starts ${when || 'in a moment'}${type === null ? '' : `: ${type} spaces its runs`}`,
  wait_turn: 'Starts in a moment',
  wait_pick_up: 'Waiting for a free worker',
  wait_place: (place: number) => `number ${place} in line`,
  wait_unknown: 'Queued',
  hold_up: (service: string, runs: number, requests: number) =>
    `${service}’s quota is used up: ${runs.toLocaleString('en-US')} ${runs === 1 ? 'task waits' : 'tasks wait'}, with ${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'} ahead.`,

  // what ends an attempt, and is looked for by an alarm
  no_room: 'There is no room left in the data folder of the worker: make room in its DATA_DIR.',

  // why the database refuses what a run stores, for now
  database_refuses: {
    disk: 'The disk of the database is full',
    memory: 'The database has no memory left',
    connections: 'The database takes no more connections',
    starting: 'The database is starting',
    resources: 'The database has reached one of its limits',
  },
  refused: (reason: string) => `${reason}. The run waits and goes on as soon as it can.`,
  database_lost: (times: number) => `The connection to the database was lost ${times} times during this run.`,
  refused_for_long: (reason: string) => `${reason}, and has been for minutes.`,

  // warnings of a run
  input_failed: (task: string) => `${task} failed before this run, which used its last good rows.`,
  input_stopped: (task: string) => `${task} was stopped before this run, which used its last good rows.`,
  acknowledged: (count: number) =>
    `${count === 1 ? 'The warning is' : `${formatted(count)} warnings are`} acknowledged: runs with nothing else to look at are a Success until that changes`,
  acknowledged_by: (by: string, at: string) => `Acknowledged by ${by}, ${at}`,
  taken_back: (count: number) =>
    `${count === 1 ? 'The warning is' : `${formatted(count)} warnings are`} no longer acknowledged`,
  not_acknowledged: 'Not acknowledged',
  warnings_changed: 'The last run left other warnings. Look at them first.',
  acknowledge: 'Acknowledge',
  take_back: 'Take back',
  acknowledge_failed: 'Failed to acknowledge',
  take_back_failed: 'Failed to take back',
} as const
