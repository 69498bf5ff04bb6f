import { expect, test } from 'vitest'
import { SyncStatus } from '../../../contract/status.ts'
import { exampleTask } from '../../features/sync-tasks/components/example-task.ts'
import {
  canStop,
  countStatuses,
  isUnderWay,
  labelOf,
  statusOrder,
  summaryOf,
  toneOf,
  watchNeeded,
} from './status.ts'

const withStatus = (...statuses: SyncStatus[]) =>
  statuses.map((task_status, id) => exampleTask({ id, task_status }))

test('Running is shown as "In Progress", every other status as it is', () => {
  expect(SyncStatus.options.map(labelOf)).toEqual(
    SyncStatus.options.map((status) => (status === 'Running' ? 'In Progress' : status)),
  )
})

test('success has the colour of success, failed and error that of errors, stopped and warning that of warnings, pending none, running its own', () => {
  expect(toneOf('Success')).toBe('success')
  expect([toneOf('Failed'), toneOf('Error')]).toEqual(['error', 'error'])
  expect([toneOf('Stopped'), toneOf('Warning')]).toEqual(['warning', 'warning'])
  expect(toneOf('Pending')).toBe('neutral')
  expect(toneOf('Running')).toBe('running')
})

test('a summary is ordered error, failed, running, success, pending, then by alphabet', () => {
  const counts = countStatuses(withStatus('Warning', 'Pending', 'Queued', 'Success', 'Error', 'Pending'))
  expect(counts).toEqual([
    { status: 'Error', count: 1 },
    { status: 'Success', count: 1 },
    { status: 'Pending', count: 2 },
    { status: 'Queued', count: 1 },
    { status: 'Warning', count: 1 },
  ])
  expect([...statusOrder].sort()).toEqual([...SyncStatus.options].sort())
})

test.each<[SyncStatus[], SyncStatus[], boolean]>([
  [[], [], false],
  [['Success', 'Running'], ['Running', 'Success'], false],
  [['Warning', 'Success', 'Failed', 'Error', 'Pending'], ['Error', 'Failed', 'Success'], false],
  [['Warning', 'Success', 'Failed', 'Error', 'Pending', 'Queued'], ['Error', 'Failed', 'Success'], true],
  [[...SyncStatus.options], ['Error', 'Failed', 'Running'], true],
])(
  'a summary shows the first 3 statuses, with "..." if there are more than 5: %j',
  (statuses, first, more) => {
    const summary = summaryOf(withStatus(...statuses, ...statuses))
    expect(summary).toEqual({ shown: first.map((status) => ({ status, count: 2 })), more })
  },
)

test('Stop Task is offered when the status is Queued, Running or Failed', () => {
  expect(SyncStatus.options.filter(canStop)).toEqual(['Queued', 'Running', 'Failed'])
})

test('a task is under way when it is queued, running or stopping, or its running_status says so', () => {
  const underWay = SyncStatus.options.filter((status) => withStatus(status).some(isUnderWay))
  expect(underWay).toEqual(['Queued', 'Running', 'Stopping'])
  expect(isUnderWay({ task_status: 'Pending', running_status: true })).toBe(true)
})

test('without an event stream, tasks under way are polled, failed ones looked at once, others left alone', () => {
  expect(watchNeeded(withStatus('Failed', 'Running'))).toBe('poll')
  expect(watchNeeded(withStatus('Failed', 'Success'))).toBe('once')
  expect(watchNeeded(withStatus('Success', 'Pending', 'Stopped'))).toBe('none')
  expect(watchNeeded([])).toBe('none')
})
