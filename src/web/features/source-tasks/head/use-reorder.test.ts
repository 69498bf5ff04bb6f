import { expect, test } from 'vitest'
import { withSection } from './use-reorder.ts'

test('reordering a section leaves the other tasks in place', () => {
  const tasks = [1, 2, 3, 4, 5].map((id) => ({ id }))
  expect(withSection(tasks, [4, 2]).map(({ id }) => id)).toEqual([1, 4, 3, 2, 5])
  // Id 9 does not exist any more.
  expect(withSection(tasks, [5, 9, 1]).map(({ id }) => id)).toEqual([5, 2, 3, 4, 1])
})
