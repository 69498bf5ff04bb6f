import { expect, test } from 'vitest'
import { percentOf, progressText } from './progress-labels.ts'

const progress = {
  phase: 'Writing',
  rows_done: 1200,
  rows_total: 20_000,
  rows_per_second: 843.2,
  seconds_left: 75,
}

test('progress shows phase, rows, rate and time left, as far as they are known', () => {
  expect(progressText(progress)).toBe('Writing · 1,200 of 20,000 rows · 843 rows/s · 1m 15s left')
  expect(progressText({ ...progress, rows_total: null, rows_per_second: null, seconds_left: null })).toBe(
    'Writing · 1,200 rows',
  )
})

test.each([
  [0, 20_000, 0],
  [19_999, 20_000, 99],
  [20_000, 20_000, 100],
  [21_000, 20_000, 100],
  [0, 0, 100],
  [5, null, null],
])('%d of %s rows are %s percent', (rows_done, rows_total, percent) => {
  expect(percentOf({ ...progress, rows_done, rows_total })).toBe(percent)
})
