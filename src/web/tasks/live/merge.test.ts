import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { changesSpoken, mergeEntry, mergeStates } from './merge.ts'

const tasks = [1, 2, 3, 4, 5].map((id) => exampleTask({ id, name: `Task ${id}` }))
const entry = (id: number) => ({
  id,
  level: 'INFO' as const,
  message: `line ${id}`,
  timestamp: '2026-11-20T09:00:00.000Z',
  formatted_timestamp: '',
})

test('a newer state changes its task and leaves every other task the same object', () => {
  const merged = mergeStates(tasks, [{ id: 2, task_status: 'Running' }, { id: 99 }])
  expect(merged[1]).toEqual({ ...tasks[1], task_status: 'Running' })
  expect(merged.filter((task, index) => task === tasks[index])).toHaveLength(4)
  expect(merged).toHaveLength(5)
})

test('a new log line comes first, and never twice', () => {
  expect(mergeEntry([entry(1)], entry(2)).map(({ id }) => id)).toEqual([2, 1])
  expect(mergeEntry([entry(2), entry(1)], entry(1)).map(({ id }) => id)).toEqual([2, 1])
})

test('changed statuses are spoken by name, many of them as a number, unchanged ones not at all', () => {
  const states = tasks.map(({ id }) => ({ id, state: 'running' as const }))
  expect(
    changesSpoken(
      syncTaskModel,
      tasks,
      tasks.map(({ id }) => ({ id, state: null })),
    ),
  ).toBeNull()
  expect(changesSpoken(syncTaskModel, tasks, states.slice(0, 2))).toBe(
    'Task 1: In Progress. Task 2: In Progress',
  )
  expect(changesSpoken(syncTaskModel, tasks, states)).toBe('5 tasks changed their status')
})
