import { expect, test } from 'vitest'
import { copyName } from './copy-name.ts'

test.each([
  ['Prices', [], 'Prices (copy)'],
  ['Prices', ['Prices (copy)'], 'Prices (copy 2)'],
  ['Prices', ['Prices (copy)', 'Prices (copy 2)'], 'Prices (copy 3)'],
  ['x'.repeat(100), [], `${'x'.repeat(93)} (copy)`],
  [`${'x'.repeat(92)} yyyyyyy`, [], `${'x'.repeat(92)} (copy)`],
])('a copy of %j beside %j is named %j', (name, taken, expected) => {
  expect(copyName(name, new Set(taken))).toBe(expected)
})
