import { describe, expect, test } from 'vitest'
import { exampleState } from '../../../../test/fixtures/example-task.ts'
import { formatMoment } from '../../engine/log-entries.ts'
import { type TaskStateRow, taskState } from './task-state.ts'

const at = (time: string) => new Date(`2026-11-20T${time}Z`)

const row = (fields: Partial<TaskStateRow> = {}): TaskStateRow => ({
  task_id: 7,
  now: at('09:10:00'),
  state: null,
  stopped: false,
  queued_at: null,
  started_at: null,
  finished_at: null,
  trigger_label: null,
  attempts: null,
  phase: null,
  phase_started_at: null,
  rows_done: null,
  rows_total: null,
  wait: null,
  picked_up: true,
  warnings: [],
  is_mailed: false,
  mark: null,
  claim: null,
  last_successful_run: null,
  prerequisites_count: 0,
  log: null,
  ...fields,
})

test('a task that never ran has no state and is empty', () => {
  expect(taskState(row())).toEqual(exampleState({ id: 7 }))
})

describe('the state of a task', () => {
  test.each([
    ['queued', false],
    ['running', true],
    ['stopping', true],
    ['stopped', false],
    ['success', false],
    ['warning', false],
    ['failed', false],
    ['error', false],
  ] as const)('is that of its last run: %s', (state, running_status) => {
    expect(taskState(row({ state }))).toMatchObject({ state, running_status })
  })

  test('whose last run failed and whose retry was cancelled is stopped', () => {
    expect(taskState(row({ state: 'failed', stopped: true }))).toMatchObject({ state: 'stopped' })
  })
})

describe('warnings', () => {
  const byAda = { by: 'ada@example.com', at: '2026-11-20T09:09:00.000Z' }
  const warning = (isAcknowledged: boolean, n: number) => ({
    id: `w${n}`,
    message: 'Look here',
    acknowledged: isAcknowledged ? byAda : null,
  })
  test.each([
    ['success', [true, false], 'warning'],
    ['warning', [true, true], 'success'],
    ['warning', [], 'warning'],
    ['failed', [true], 'failed'],
    ['running', [false], 'running'],
  ] as const)('a run that ended as %s, acknowledged or not: %j, is %s', (state, acknowledged, shown) => {
    const run_warnings = acknowledged.map(warning)
    expect(taskState(row({ state, warnings: run_warnings }))).toMatchObject({ state: shown, run_warnings })
  })
})

describe('what a task waits for', () => {
  const queued = { waits_for: { for: 'worker' }, place: 3 } as const
  const nothing = { waits_for: null, place: null }
  const wait = { for: 'pick_up' } as const
  const refused = {
    for: 'backoff',
    reason: 'The disk of the database is full',
    until: '2026-11-20T09:11:00.000Z',
  } as const
  const quota = { for: 'quota', service: 'Google Sheets', until: '2026-11-20T09:11:00.000Z' } as const
  test.each([
    ['its place in the queue', { state: 'queued' }, queued],
    [
      'a worker that picks it up',
      { state: 'running', picked_up: false },
      { state: 'queued', running_status: false, waits_for: wait, place: null },
    ],
    [
      'a database that refused its rows',
      { state: 'running', picked_up: false, wait: refused },
      { state: 'running', running_status: true, waits_for: refused },
    ],
    ['what the run says', { state: 'running', wait: quota }, { waits_for: quota, place: null }],
    ['what the run says, until it stops', { state: 'stopping', wait: quota }, { waits_for: quota }],
    ['nothing while it works', { state: 'running' }, nothing],
    ['nothing when it is stopped before a worker had it', { state: 'stopping', picked_up: false }, nothing],
    ['nothing once it is over', { state: 'success', wait: quota }, nothing],
  ] as const)('is %s', (_case, fields, waits) => {
    expect(taskState(row(fields), { queued })).toMatchObject(waits)
  })
})

test.each([
  ['queued', at('09:00:00').toISOString()],
  ['running', at('09:00:00').toISOString()],
  ['stopping', at('09:00:00').toISOString()],
  ['success', null],
  ['failed', null],
] as const)('a start time is returned while a run is live: %s', (state, started_at) => {
  expect(taskState(row({ state, started_at: at('09:00:00') }))).toMatchObject({ started_at })
})

test('trigger and time of the last run, time of the last success, and the last log line', () => {
  const known = row({
    state: 'failed',
    queued_at: at('08:59:00'),
    finished_at: at('09:05:00'),
    trigger_label: 'Ada',
    last_successful_run: at('04:00:00'),
    log: { id: '12', level: 'ERROR', message: 'No such tab', created_at: at('09:05:01') },
  })
  expect(taskState(known, { zone: 'Europe/Berlin' })).toMatchObject({
    last_triggered: { time: '2026-11-20T08:59:00.000Z', triggered_by: 'Ada' },
    last_successful_run: '2026-11-20T04:00:00.000Z',
    latest_log: { id: 12, level: 'ERROR', formatted_timestamp: '2026-11-20 10:05:01 GMT+1' },
  })
})

describe('attempts', () => {
  test.each([
    ['the first is under way', 'running', 1, 0, 0],
    ['the second is under way', 'running', 2, 1, 1],
    ['the first failed and the second waits', 'queued', 1, 0, 1],
    ['all four failed', 'failed', 4, 3, 4],
    ['refused before the first', 'failed', 0, 0, 1],
    ['the third went well', 'success', 3, 2, 2],
  ] as const)('%s', (_case, state, attempts, retry_count, last_error_count) => {
    expect(taskState(row({ state, attempts }))).toMatchObject({ retry_count, last_error_count })
  })
})

test('time runs from the first start to the end, or to now', () => {
  const started_at = at('09:00:00')
  expect(taskState(row({ state: 'running', started_at })).total_elapsed_seconds).toBe(600)
  const over = row({ state: 'success', started_at, finished_at: at('09:01:30') })
  expect(taskState(over).total_elapsed_seconds).toBe(90)
})

describe('progress', () => {
  const at_work = { state: 'running', phase: 'Reading', rows_done: 3000, rows_total: 9000 } as const

  test('has a rate and the time left once a second of its phase is over', () => {
    const progress = taskState(row({ ...at_work, phase_started_at: at('09:09:58') })).progress
    expect(progress).toEqual({
      phase: 'Reading',
      rows_done: 3000,
      rows_total: 9000,
      rows_per_second: 1500,
      seconds_left: 4,
    })
  })
  test('has neither rate nor time before', () => {
    const progress = taskState(row({ ...at_work, phase_started_at: at('09:09:59.500') })).progress
    expect(progress).toMatchObject({ rows_per_second: null, seconds_left: null })
  })
  test('has no time left if the total is unknown', () => {
    const progress = taskState(
      row({ ...at_work, rows_total: null, phase_started_at: at('09:09:58') }),
    ).progress
    expect(progress).toMatchObject({ rows_per_second: 1500, seconds_left: null })
  })
  test('is null when the run is over', () => {
    expect(taskState(row({ ...at_work, state: 'success' })).progress).toBeNull()
  })
})

describe('the moment of a log line', () => {
  test.each([
    ['2026-11-20T09:19:12Z', 'America/New_York', '2026-11-20 04:19:12 EST'],
    ['2026-07-20T04:00:00Z', 'America/New_York', '2026-07-20 00:00:00 EST'],
    ['2026-07-20T04:00:00Z', 'Europe/London', '2026-07-20 05:00:00 GMT+1'],
    ['2026-07-20T04:00:00Z', 'UTC', '2026-07-20 04:00:00 UTC'],
  ])('%s in %s is %s', (moment, zone, text) => {
    expect(formatMoment(new Date(moment), zone)).toBe(text)
  })
})
