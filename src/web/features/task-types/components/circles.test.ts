import { expect, test } from 'vitest'
import { closesCircle } from './circles.ts'

const type = (id: number, ...on: number[]) => ({
  id,
  dependencies: on.map((dependency_task_type_id) => ({
    dependency_task_type_id,
    condition_type: 'success' as const,
    name: String(dependency_task_type_id),
    task_category: 'source' as const,
  })),
})

// 1 ← 2 ← 3, and 4 depends on 5 and on 3; 6 and 7 wait for each other already
const types = [type(1), type(2, 1), type(3, 2), type(4, 5, 3), type(5), type(6, 7), type(7, 6)]

test.each([
  ['itself', 1, 1, true],
  ['what waits for it', 1, 2, true],
  ['the end of a chain that begins with it', 1, 3, true],
  ['what reaches it through its second dependency', 1, 4, true],
  ['what it waits for already', 3, 1, false],
  ['what has nothing to do with it', 1, 5, false],
  ['a circle that it is no part of', 1, 6, false],
  ['a type that does not exist', 1, 99, false],
])('depending on %s', (_, id, on, circular) => {
  expect(closesCircle(types, id, on)).toBe(circular)
})
