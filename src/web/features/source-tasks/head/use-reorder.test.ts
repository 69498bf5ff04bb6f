import { expect, test } from 'vitest'
import { withSection } from './use-reorder.ts'

test('a section is put into another order where it stands; all other tasks stay where they are', () => {
  const tasks = [1, 2, 3, 4, 5].map((id) => ({ id }))
  expect(withSection(tasks, [4, 2]).map(({ id }) => id)).toEqual([1, 4, 3, 2, 5])
  // one that is gone meanwhile
  expect(withSection(tasks, [5, 9, 1]).map(({ id }) => id)).toEqual([5, 2, 3, 4, 1])
})
