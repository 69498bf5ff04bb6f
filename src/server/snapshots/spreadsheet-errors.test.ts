import { expect, test } from 'vitest'
import { isLoading } from './spreadsheet-errors.ts'

test.each([
  ['Loading...', true],
  ['Loading…', true],
  ['Loading', false],
  ['loading...', false],
  ['Loading... please', false],
  [null, false],
])('a cell of %j is still loading: %s', (cell, expected) => {
  expect(isLoading(cell)).toBe(expected)
})
