import { expect, test } from 'vitest'
import { type PlannedRun, simulateRuns, type TypeRules } from './simulate-runs.ts'

const START = Date.parse('2050-01-10T04:00:00Z')
const quota = { account: 60, project: 300, window_ms: 61_000 }
const rules = (fields: Partial<TypeRules> = {}): TypeRules => ({
  slots: 100,
  priority: 0,
  delay_seconds: 0,
  depends_on: [],
  ...fields,
})
const run = (task_id: number, fields: Partial<PlannedRun> = {}): PlannedRun => ({
  ...{ task_id, type_id: 1, due_at: START, seconds: 10, reads: 0, writes: 0, accounts: ['ada@example.com'] },
  ...fields,
})
const many = (count: number, fields: Partial<PlannedRun> = {}) =>
  Array.from({ length: count }, (_, index) => run(index + 1, fields))

function simulate(runs: PlannedRun[], types: Record<number, TypeRules> = { 1: rules() }, capacity = 1000) {
  const known = new Map(Object.entries(types).map(([id, type]) => [Number(id), type]))
  return simulateRuns(runs, known, { quota, capacity })
}

/** Seconds from the start to the end of each run. */
const ends = (results: ReturnType<typeof simulate>) =>
  results
    .toSorted((a, b) => a.run.task_id - b.run.task_id)
    .map(({ finished_at }) => Math.round((finished_at - START) / 1000))

test('runs that wait for nothing end after their duration', () => {
  expect(ends(simulate([run(1), run(2, { seconds: 25, due_at: START + 60_000 })]))).toEqual([10, 85])
})

test('a type runs as many tasks at the same time as it has slots, and all types as many as the workers execute', () => {
  expect(ends(simulate(many(4), { 1: rules({ slots: 2 }) }))).toEqual([10, 10, 20, 20])
  const types = { 1: rules(), 2: rules({ priority: 5 }) }
  expect(ends(simulate([run(1), run(2), run(3, { type_id: 2 })], types, 1))).toEqual([20, 30, 10])
  expect(ends(simulate(many(3), { 1: rules({ slots: 3, delay_seconds: 30 }) }))).toEqual([10, 40, 70])
})

test('a run starts after all earlier runs of the types that its type depends on', () => {
  const types = { 1: rules({ slots: 1 }), 2: rules({ depends_on: [1] }), 3: rules({ depends_on: [2] }) }
  const results = simulate([run(1), run(2), run(3, { type_id: 2 }), run(4, { type_id: 3 })], types)
  expect(ends(results)).toEqual([10, 20, 30, 40])
  expect(results.find(({ run: { task_id } }) => task_id === 4)?.waits.prerequisites).toBe(30_000)
})

test('requests start when the account’s quota allows them: the rest after a whole window', () => {
  // 120 reads by one account: 60 at once, 60 after the window.
  const results = simulate(many(60, { reads: 2, seconds: 2 }))
  expect(Math.max(...ends(results))).toBe(62)
  expect(Math.max(...results.map(({ waits }) => waits.quota))).toBeGreaterThan(50_000)
  const two = many(60, { reads: 2, seconds: 2, accounts: ['ada@example.com', 'ben@example.com'] })
  expect(Math.max(...ends(simulate(two)))).toBe(2)
})

test('the project’s quota holds for all accounts together; reads and writes count separately', () => {
  const runs = Array.from({ length: 400 }, (_, index) =>
    run(index + 1, { reads: 1, writes: 1, seconds: 2, accounts: [`person-${index % 10}@example.com`] }),
  )
  // 400 reads at 300 per window.
  expect(Math.max(...ends(simulate(runs)))).toBe(63)
})

test('a run that is due while its task is live is missed', () => {
  const results = simulate([run(1, { seconds: 90 }), run(1, { due_at: START + 60_000 })])
  expect(results).toHaveLength(1)
})

test('ten thousand runs with requests are simulated', () => {
  const runs = many(10_000, { reads: 2, writes: 2, seconds: 5 })
  const results = simulate(runs, { 1: rules() }, 50)
  expect(results).toHaveLength(10_000)
  // 20,000 reads at 60 per window.
  const least = (20_000 / 60 - 1) * 61
  expect(Math.max(...ends(results))).toBeGreaterThan(least)
  expect(Math.max(...ends(results))).toBeLessThan(least * 1.02)
})
