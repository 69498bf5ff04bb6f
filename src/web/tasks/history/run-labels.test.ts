import { expect, test } from 'vitest'
import type { Run } from '../../../contract/runs/calls.ts'
import { askedBy, attemptsText, durationText, outcomeOf, rowsText } from './run-labels.ts'

const run: Run = {
  id: 1,
  task_id: 1,
  task_name: 'Products',
  category: 'sync',
  state: 'success',
  is_preview: false,
  trigger: 'manual',
  triggered_by: 'ada@example.com',
  attempts: 1,
  redeliveries: 0,
  queued_at: '2026-11-20T09:00:00.000Z',
  started_at: '2026-11-20T09:00:01.000Z',
  finished_at: '2026-11-20T09:01:06.000Z',
  duration_seconds: 65,
  rows: 5_000,
  requests: 9,
  warnings: [],
  message: 'The target holds the rows.',
  error: null,
  receipt: null,
}

test.each([
  ['manual', 'ada@example.com'],
  ['group', 'ada@example.com, with its group'],
  ['all', 'ada@example.com, with all tasks'],
] as const)('a run asked for %s names the person', (trigger, text) => {
  expect(askedBy({ ...run, trigger })).toBe(text)
})

test('a scheduled run names its schedule', () => {
  expect(askedBy({ ...run, trigger: 'schedule', triggered_by: 'schedule, 04:00 EST' })).toBe(
    'schedule, 04:00 EST',
  )
})

test.each([
  [1, 0, '1'],
  [2, 1, '2, redelivered once'],
  [1, 2, '1, redelivered 2 times'],
])('%d attempts with %d redeliveries read “%s”', (attempts, redeliveries, text) => {
  expect(attemptsText({ ...run, attempts, redeliveries })).toBe(text)
})

test('duration and rows are shown once a run has ended', () => {
  expect([durationText(run), rowsText(run)]).toEqual(['1m 5s', '5,000'])
  const live: Run = { ...run, state: 'running', finished_at: null }
  expect([durationText(live), rowsText(live)]).toEqual(['–', '–'])
  const refused: Run = { ...run, state: 'failed', started_at: null, duration_seconds: null }
  expect(durationText(refused)).toBe('–')
})

test('a run that succeeded after a failed attempt shows its result, a failed one its error', () => {
  expect(outcomeOf({ ...run, error: 'Google is busy.' })).toBe('The target holds the rows.')
  expect(outcomeOf({ ...run, state: 'queued', message: null, error: 'Google is busy.' })).toBe(
    'Google is busy.',
  )
  expect(outcomeOf({ ...run, state: 'stopped', message: null })).toBeNull()
})

test.each([
  ['manual', 'ada@example.com (Manual API)', 'ada@example.com, by hand'],
  ['manual', 'ada@example.com (Manual)', 'ada@example.com, by hand'],
  ['manual', 'ada@example.com (token nightly)', 'ada@example.com (token nightly)'],
  ['group', 'ada@example.com (Manual)', 'ada@example.com, with its group'],
] as const)('a run started by %s with the default trigger of its call: %s', (trigger, triggered_by, text) => {
  expect(askedBy({ ...run, trigger, triggered_by })).toBe(text)
})
