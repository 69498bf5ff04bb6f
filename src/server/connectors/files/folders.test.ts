import { expect, test } from 'vitest'
import { isMatch } from './folders.ts'

test.each([
  ['prices-2026.xlsx', 'prices-*.xlsx', true],
  ['prices-.xlsx', 'prices-*.xlsx', true],
  ['prices-2026.csv', 'prices-*.xlsx', false],
  ['a.b', '*', true],
  ['ab', 'a*b*b', false],
  ['abb', 'a*b*b', true],
  ['aXbYc', '*X*Y*', true],
  ['aYbXc', '*X*Y*', false],
  ['a+b.csv', 'a+*.csv', true],
  ['aab.csv', 'a+*.csv', false],
  ['exact.csv', 'exact.csv', true],
])('%s against %s: %s', (name, pattern, matches) => {
  expect(isMatch(name, pattern)).toBe(matches)
})

test('a long name against a pattern of many asterisks ends at once', () => {
  expect(isMatch('a'.repeat(200_000), `${'*a'.repeat(20_000)}*b`)).toBe(false)
})
