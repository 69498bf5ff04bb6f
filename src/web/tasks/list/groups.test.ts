import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { groupTasks, linesOf } from './groups.ts'

const inType = (id: number, type: number) =>
  exampleTask({
    id,
    sync_task_type_id: type,
    task_type: { id: type, name: `Type ${type}`, chunk_size: 1, allowed_concurrent_tasks: 1 },
  })
const groups = groupTasks(syncTaskModel, [inType(1, 9), inType(2, 9), inType(3, 4)])

test('tasks are grouped by type, types and tasks in the order in which the server gives them', () => {
  expect(groups.map(({ name, tasks }) => [name, tasks.map(({ id }) => id)])).toEqual([
    ['Type 9', [1, 2]],
    ['Type 4', [3]],
  ])
})

test('a folded group shows its head only; the last line of each group closes its card', () => {
  const shape = linesOf(groups, new Set([4])).map((line) => [line.kind, line.last])
  expect(shape).toEqual([
    ['group', false],
    ['task', false],
    ['task', true],
    ['group', true],
  ])
})
