import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import type { TaskRunState } from '../../../contract/runs/status.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { StreamOverlay } from './stream-overlay.ts'

const entry = (id: number) => ({
  id,
  level: 'INFO' as const,
  message: `line ${id}`,
  timestamp: '2026-11-20T09:00:00.000Z',
  formatted_timestamp: '',
  run_id: null,
})

test('the last state of each task since a request started is merged over its reply', () => {
  const overlay = new StreamOverlay()
  const sent = (id: number, state: TaskRunState) => ({ ...exampleTask({ id }), state })
  overlay.states([sent(1, null), sent(2, null)], 10)
  overlay.states([sent(1, 'running')], 20)
  overlay.tasks([exampleTask({ id: 1, task_status: 'Success' })], 30)
  const since = (moment: number) =>
    overlay.patchesSince(syncTaskModel, moment).map(({ id, task_status }) => [id, task_status])
  expect(since(10)).toEqual([
    [1, 'Success'],
    [2, 'Pending'],
  ])
  expect(since(25)).toEqual([[1, 'Success']])
  expect(since(31)).toEqual([])
})

test('a state after an edit does not undo the edit', () => {
  const overlay = new StreamOverlay()
  overlay.tasks([exampleTask({ id: 1, name: 'Renamed' })], 10)
  const { name: _, ...state } = exampleTask({ id: 1 })
  overlay.states([{ ...state, state: 'running' as const }], 20)
  const since = (moment: number) => overlay.patchesSince(syncTaskModel, moment)
  expect(since(10)).toMatchObject([{ id: 1, name: 'Renamed', task_status: 'Running' }])
  expect(since(15)).toMatchObject([{ id: 1, task_status: 'Running' }])
  expect(since(15)[0]).not.toHaveProperty('name')
})

test('log entries are returned for the requested task, from the latest thousand of all', () => {
  const overlay = new StreamOverlay()
  overlay.line(1, entry(1), 10)
  overlay.line(2, entry(2), 20)
  overlay.line(1, entry(3), 30)
  expect(overlay.linesSince(1, 10).map(({ id }) => id)).toEqual([1, 3])
  expect(overlay.linesSince(1, 11).map(({ id }) => id)).toEqual([3])
  for (let id = 4; id < 1104; id++) overlay.line(1, entry(id), 40)
  expect(overlay.linesSince(1, 0).map(({ id }) => id)).toEqual(
    Array.from({ length: 1000 }, (_, n) => 104 + n),
  )
})
