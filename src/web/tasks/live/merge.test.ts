import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { mergeEntry, mergeStates, statusAnnouncement } from './merge.ts'

const tasks = [1, 2, 3, 4, 5].map((id) => exampleTask({ id, name: `Task ${id}` }))
const entry = (id: number) => ({
  id,
  level: 'INFO' as const,
  message: `line ${id}`,
  timestamp: '2026-11-20T09:00:00.000Z',
  formatted_timestamp: '',
  run_id: null,
})

test('a newer state changes its task; every other task remains the same object', () => {
  const merged = mergeStates(tasks, [{ id: 2, task_status: 'Running' }, { id: 99 }])
  expect(merged[1]).toEqual({ ...tasks[1], task_status: 'Running' })
  expect(merged.filter((task, index) => task === tasks[index])).toHaveLength(4)
  expect(merged).toHaveLength(5)
})

test('a new log entry comes first, without duplicates', () => {
  expect(mergeEntry([entry(1)], entry(2)).map(({ id }) => id)).toEqual([2, 1])
  expect(mergeEntry([entry(2), entry(1)], entry(1)).map(({ id }) => id)).toEqual([2, 1])
})

test('changed statuses are announced by name, many of them as a count, unchanged ones not at all', () => {
  const states = tasks.map(({ id }) => ({ id, state: 'running' as const }))
  expect(
    statusAnnouncement(
      syncTaskModel,
      tasks,
      tasks.map(({ id }) => ({ id, state: null })),
    ),
  ).toBeNull()
  expect(statusAnnouncement(syncTaskModel, tasks, states.slice(0, 2))).toBe(
    'Task 1: In Progress. Task 2: In Progress',
  )
  expect(statusAnnouncement(syncTaskModel, tasks, states)).toBe('5 tasks changed their status')
})
