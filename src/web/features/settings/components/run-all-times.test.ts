import { expect, test } from 'vitest'
import { differ } from './run-all-times.ts'

test('times have changed when one came or went, not when they stand in another order', () => {
  expect(differ(['04:00', '23:00'], ['23:00', '04:00'])).toBe(false)
  expect(differ([], [])).toBe(false)
  expect(differ(['04:00'], [])).toBe(true)
  expect(differ(['04:00'], ['05:00'])).toBe(true)
  expect(differ(['04:00'], ['04:00', '05:00'])).toBe(true)
})
