import { expect, test } from 'vitest'
import { forecastDeadline } from './forecast-deadline.ts'
import { type PlannedRun, simulateRuns, type TypeRules } from './simulate-runs.ts'

const START = Date.parse('2050-01-10T04:00:00Z')
const HOUR_MS = 3_600_000
const quota = { account: 60, project: 300, window_ms: 61_000 }
const limits = { quota, capacity: 1000 }
const one: TypeRules = { slots: 1, priority: 0, delay_seconds: 0, depends_on: [] }

const run = (task_id: number, fields: Partial<PlannedRun> = {}): PlannedRun => ({
  ...{ task_id, type_id: 1, due_at: START, seconds: 600, reads: 0, writes: 0, accounts: [] },
  ...fields,
})

function forecast(runs: PlannedRun[], at: number, types = new Map([[1, one]])) {
  const deadline = { at, tasks: new Set(runs.map(({ task_id }) => task_id)) }
  const rules = { types, limits, now: START - 10 * HOUR_MS }
  const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16)
  return forecastDeadline(runs, simulateRuns(runs, types, limits), deadline, rules, clock)
}

test('a task is ready at the end of its last run before the deadline; later runs do not count', () => {
  const runs = [run(1), run(1, { due_at: START + HOUR_MS }), run(1, { due_at: START + 3 * HOUR_MS })]
  expect(forecast(runs, START + 2 * HOUR_MS)).toEqual({
    ready_at: START + HOUR_MS + 600_000,
    is_late: false,
    reason: '',
    suggestion: '',
    move: null,
    late_task_ids: [],
  })
})

test('without a run before the deadline nothing is late', () => {
  expect(forecast([run(1)], START - HOUR_MS)).toMatchObject({ ready_at: null, is_late: false })
})

test('late runs name their cause, and a time that was found to be enough', () => {
  const runs = Array.from({ length: 12 }, (_, index) => run(index + 1))
  expect(forecast(runs, START + HOUR_MS)).toEqual({
    ready_at: START + 2 * HOUR_MS,
    is_late: true,
    reason: '6 runs will end 60 minutes late, at 06:00: waiting 110 minutes for other runs of the type.',
    suggestion: 'Move these 6 to 03:00.',
    move: { at: START - HOUR_MS, runs: runs.slice(6) },
    late_task_ids: [7, 8, 9, 10, 11, 12],
  })
})

test('prerequisites that end late are the cause of what waits for them', () => {
  const types = new Map([
    [1, one],
    [2, { ...one, depends_on: [1] }],
  ])
  const runs = [run(1, { seconds: 7200 }), run(2, { type_id: 2 })]
  const { reason } = forecast(runs, START + HOUR_MS, types)
  expect(reason).toContain('working 120 minutes')
  const deadline = { at: START + HOUR_MS, tasks: new Set([2]) }
  const results = simulateRuns(runs, types, limits)
  const rules = { types, limits, now: START - HOUR_MS }
  expect(forecastDeadline(runs, results, deadline, rules, () => '').reason).toContain(
    'waiting 120 minutes for prerequisites',
  )
})
