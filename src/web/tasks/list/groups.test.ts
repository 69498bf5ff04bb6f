import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { groupTasks, groupTasksBy, linesOf } from './groups.ts'

const inType = (id: number, type: number) =>
  exampleTask({
    id,
    sync_task_type_id: type,
    task_type: { id: type, name: `Type ${type}`, chunk_size: 1, allowed_concurrent_tasks: 1 },
  })
const groups = groupTasks(syncTaskModel, [inType(1, 9), inType(2, 9), inType(3, 4)])

test('tasks are grouped by type, in the order of the server', () => {
  expect(groups.map(({ name, tasks }) => [name, tasks.map(({ id }) => id)])).toEqual([
    ['Type 9', [1, 2]],
    ['Type 4', [3]],
  ])
})

test('a collapsed group shows only its header; the last line of each group closes its card', () => {
  const shape = linesOf(groups, new Set(['type 4'])).map((line) => [line.kind, line.last])
  expect(shape).toEqual([
    ['group', false],
    ['task', false],
    ['task', true],
    ['group', true],
  ])
})

test('by owner and by tag: the groups are in alphabetical order, the rest comes last, and a task is in the groups of all its tags', () => {
  const tasks = [
    exampleTask({ id: 1, tags: ['north', 'Prices'], owner: { id: 7, name: 'Cleo' } }),
    exampleTask({ id: 2, tags: [], owner: null }),
    exampleTask({ id: 3, tags: ['PRICES', 'prices'], owner: { id: 5, name: 'Ada' } }),
  ]
  const shape = (by: 'owner' | 'tag') =>
    groupTasksBy(syncTaskModel, tasks, by).map(({ name, tasks: some }) => [name, some.map(({ id }) => id)])
  expect(shape('owner')).toEqual([
    ['Ada', [3]],
    ['Cleo', [1]],
    ['Without an owner', [2]],
  ])
  expect(shape('tag')).toEqual([
    ['north', [1]],
    ['Prices', [1, 3]],
    ['Without a tag', [2]],
  ])
  const keys = linesOf(groupTasksBy(syncTaskModel, tasks, 'tag'), new Set()).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})
