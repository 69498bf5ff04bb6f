import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { SyncStatus } from '../../../contract/runs/status.ts'
import { syncTaskModel } from '../../features/sync-tasks/components/model.ts'
import { canRunGroup, canStopGroup, deleteAllRefusal, stopAllRefusal, toggleAllTarget } from './bulk-rules.ts'

const statuses = SyncStatus.options
const busy: readonly SyncStatus[] = ['Queued', 'Running']
const active = (...flags: boolean[]) => flags.map((is_active, id) => exampleTask({ id, is_active }))

test.each(statuses)(
  'Run Group is enabled if some task is active and not Running or Queued: %s',
  (task_status) => {
    expect(canRunGroup(syncTaskModel, [exampleTask({ task_status })])).toBe(!busy.includes(task_status))
    expect(canRunGroup(syncTaskModel, [exampleTask({ task_status, is_active: false })])).toBe(false)
    expect(canRunGroup(syncTaskModel, [exampleTask({ task_status: 'Running' }), exampleTask()])).toBe(true)
  },
)

test('Stop Group is enabled if some task is Running or Queued', () => {
  expect(
    statuses.filter((task_status) => canStopGroup(syncTaskModel, [exampleTask({ task_status })])),
  ).toEqual(busy)
  expect(
    canStopGroup(syncTaskModel, [exampleTask(), exampleTask({ task_status: 'Queued', is_active: false })]),
  ).toBe(true)
})

test('Stop All warns if there are no tasks, or none is running or queued', () => {
  expect(stopAllRefusal(syncTaskModel, [])).toBe('No tasks available')
  expect(stopAllRefusal(syncTaskModel, [exampleTask(), exampleTask({ task_status: 'Stopping' })])).toBe(
    'No running or queued tasks to stop',
  )
  expect(stopAllRefusal(syncTaskModel, [exampleTask({ task_status: 'Queued' })])).toBeNull()
})

test('Delete All is refused if the list is empty, and if any task is running', () => {
  expect(deleteAllRefusal(syncTaskModel, [])).toBe('No tasks to delete')
  expect(deleteAllRefusal(syncTaskModel, [exampleTask(), exampleTask({ task_status: 'Running' })])).toBe(
    'Cannot delete while tasks are running',
  )
  expect(deleteAllRefusal(syncTaskModel, [exampleTask({ running_status: true })])).toBe(
    'Cannot delete while tasks are running',
  )
  expect(deleteAllRefusal(syncTaskModel, [exampleTask({ task_status: 'Failed' })])).toBeNull()
})

test('Toggle All makes the tasks inactive if most of them are active, else active', () => {
  expect(toggleAllTarget(active(true, true, false))).toBe(false)
  expect(toggleAllTarget(active(true, false))).toBe(true)
  expect(toggleAllTarget(active(false, false, true))).toBe(true)
})
