import { formatted } from '../counted.ts'
import { quoted } from '../quoted.ts'

/** Texts of wait reasons and warnings. */
export const runMessages = {
  // wait reasons
  wait_quota: (service: string, about: string) => `Waiting for ${service}’s quota${about && `, ${about}`}`,
  wait_backoff: (reason: string, when: string) =>
    `${reason.replace(/\.$/, '')}, trying again${when && ` ${when}`}`,
  wait_retry: (attempt: number, when: string, error: string) =>
    `Attempt ${attempt} starts ${when || 'in a moment'}${error && `: ${error}`}`,
  wait_worker: 'No worker is running: it starts when one is',
  wait_folder: (folders: string[]) =>
    `No running worker has the ${folders.length === 1 ? 'folder' : 'folders'} ${folders.map(quoted).join(', ')}: it starts when one has`,
  wait_prerequisites: (types: string[]) => `Waits for ${types.join(', ')}`,
  wait_inputs: (tasks: string[], more: number) =>
    `Waits for ${tasks.join(', ')}${more > 0 ? ` and ${formatted(more)} more` : ''}`,
  wait_target: (task: string) => `Waits for ${task}, which writes to the same sheet`,
  wait_slot: (type: string | null, at_work: number, slots: number) =>
    `${type ?? 'The system'} is busy (${at_work} of ${slots})`,
  wait_delay: (type: string | null, when: string) =>
    `Starts ${when || 'in a moment'}${type === null ? '' : `: ${type} has a delay between runs`}`,
  wait_turn: 'Starts in a moment',
  wait_pick_up: 'Waiting for a free worker',
  wait_place: (position: number) => `position ${position} in the queue`,
  wait_unknown: 'Queued',
  quota_backlog: (service: string, runs: number, requests: number) =>
    `${service}’s quota is used up: ${runs.toLocaleString('en-US')} ${runs === 1 ? 'task waits' : 'tasks wait'}, with ${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'} ahead.`,

  // error of an attempt, also recognized by an alarm
  no_room: 'There is no room left in the data folder of the worker: make room in its DATA_DIR.',

  // why the database temporarily rejects writes
  database_refuses: {
    disk: 'The disk of the database is full',
    memory: 'The database has no memory left',
    connections: 'The database takes no more connections',
    starting: 'The database is starting',
    resources: 'The database has reached one of its limits',
  },
  refused: (reason: string) => `${reason}. The run waits and continues as soon as possible.`,
  database_lost: (times: number) => `The connection to the database was lost ${times} times during this run.`,
  refused_for_long: (reason: string) => `${reason}, and has been for minutes.`,

  // warnings
  input_failed: (task: string) => `${task} failed before this run, which used its last good rows.`,
  input_stopped: (task: string) => `${task} was stopped before this run, which used its last good rows.`,
  acknowledged: (count: number) =>
    `${count === 1 ? 'The warning is' : `${formatted(count)} warnings are`} acknowledged: later runs with the same warnings count as Success`,
  acknowledged_by: (by: string, at: string) => `Acknowledged by ${by}, ${at}`,
  taken_back: (count: number) =>
    `${count === 1 ? 'The warning is' : `${formatted(count)} warnings are`} no longer acknowledged`,
  not_acknowledged: 'Not acknowledged',
  warnings_changed: 'The last run has other warnings. Review them first.',
  acknowledge: 'Acknowledge',
  take_back: 'Take back',
  acknowledge_failed: 'Failed to acknowledge',
  take_back_failed: 'Failed to take back',
} as const

/** Texts of the tabs of a split task. */
export const tabMessages = {
  tabs: 'Tabs of this run',
  show: (count: number) => (count === 1 ? 'Show the tab' : `Show the ${formatted(count)} tabs`),
  tab: 'Tab',
  value: 'Value',
  rows: 'Rows',
  cells_changed: 'Cells changed',
  emptied: 'emptied',
} as const
