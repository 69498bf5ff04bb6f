import { expect, test } from 'vitest'
import { byName } from './by-name.ts'

test('names with numbers are sorted by the numbers', () => {
  const names = ['Group 10', 'group 2', 'Group 2', 'Group 1', '10', '9', 'Ärzte', 'Zoo']
  expect(names.toSorted(byName)).toEqual([
    '9',
    '10',
    'Ärzte',
    'Group 1',
    'group 2',
    'Group 2',
    'Group 10',
    'Zoo',
  ])
})
