import { expect, test } from 'vitest'
import { closesCycle } from './cycles.ts'

const type = (id: number, ...on: number[]) => ({
  id,
  dependencies: on.map((dependency_task_type_id) => ({
    dependency_task_type_id,
    condition_type: 'success' as const,
    name: String(dependency_task_type_id),
    task_category: 'source' as const,
  })),
})

// 1 ← 2 ← 3; 4 depends on 5 and on 3; 6 and 7 form a cycle
const types = [type(1), type(2, 1), type(3, 2), type(4, 5, 3), type(5), type(6, 7), type(7, 6)]

test.each([
  ['itself', 1, 1, true],
  ['a dependent', 1, 2, true],
  ['the end of a chain of dependents', 1, 3, true],
  ['a dependent by its second dependency', 1, 4, true],
  ['a current prerequisite', 3, 1, false],
  ['an unrelated type', 1, 5, false],
  ['a cycle of other types', 1, 6, false],
  ['a type that does not exist', 1, 99, false],
])('depending on %s', (_, id, on, circular) => {
  expect(closesCycle(types, id, on)).toBe(circular)
})
