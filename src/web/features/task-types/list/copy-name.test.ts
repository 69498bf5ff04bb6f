import { expect, test } from 'vitest'
import { copyName } from './copy-name.ts'

const long = 'x'.repeat(100)

test.each<[name: string, taken: string[], copy: string]>([
  ['Prices', ['Prices'], 'Prices (Copy)'],
  ['Prices', ['Prices', 'Prices (Copy)'], 'Prices (Copy 2)'],
  ['Prices', ['Prices (Copy)', 'Prices (Copy 2)'], 'Prices (Copy 3)'],
  ['Prices (Copy)', ['Prices (Copy)'], 'Prices (Copy) (Copy)'],
  [long, [long], `${'x'.repeat(93)} (Copy)`],
  [long, [`${'x'.repeat(93)} (Copy)`], `${'x'.repeat(91)} (Copy 2)`],
  [`${'x'.repeat(92)} end of it`, [], `${'x'.repeat(92)} (Copy)`],
])('a copy of %s beside %j is named %s', (name, taken, copy) => {
  expect(copyName(name, new Set(taken))).toBe(copy)
  expect(copy.length).toBeLessThanOrEqual(100)
})
