import { expect, test } from 'vitest'
import { exampleTask } from '../../../../test/fixtures/example-task.ts'
import { SyncStatus } from '../../../contract/runs/status.ts'
import { syncTaskModel as model } from '../../features/sync-tasks/components/model.ts'
import {
  countStatuses,
  isStoppable,
  isUnderWay,
  labelOf,
  statusNamed,
  summaryOf,
  watchNeeded,
} from './status.ts'

const withStatus = (...statuses: SyncStatus[]) =>
  statuses.map((task_status, id) => exampleTask({ id, task_status }))

const toneOf = (status: SyncStatus) => statusNamed(model, status).tone
const counted = (...statuses: SyncStatus[]) =>
  countStatuses(model, statuses).map(({ status, count }) => [status.name, count])

test('Running is shown as "In Progress", every other status as it is', () => {
  expect(SyncStatus.options.map((status) => labelOf(model, status))).toEqual(
    SyncStatus.options.map((status) => (status === 'Running' ? 'In Progress' : status)),
  )
})

test('colours: Success green, Failed and Error red, Stopped and Warning yellow, Pending neutral, Running its own', () => {
  expect(toneOf('Success')).toBe('success')
  expect([toneOf('Failed'), toneOf('Error')]).toEqual(['error', 'error'])
  expect([toneOf('Stopped'), toneOf('Warning')]).toEqual(['warning', 'warning'])
  expect(toneOf('Pending')).toBe('neutral')
  expect(toneOf('Running')).toBe('running')
})

test('a summary is ordered error, failed, running, success, pending, then by alphabet', () => {
  expect(counted('Warning', 'Pending', 'Queued', 'Success', 'Error', 'Pending')).toEqual([
    ['Error', 1],
    ['Success', 1],
    ['Pending', 2],
    ['Queued', 1],
    ['Warning', 1],
  ])
  expect(model.statuses.map(({ name }) => name).sort()).toEqual([...SyncStatus.options].sort())
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
    const summary = summaryOf(model, withStatus(...statuses, ...statuses))
    expect(summary.shown.map(({ status, count }) => [status.name, count])).toEqual(
      first.map((status) => [status, 2]),
    )
    expect(summary.more).toBe(more)
  },
)

test('Stop Task is enabled when the status is Queued, Running or Failed', () => {
  const canStop = (status: SyncStatus) => statusNamed(model, status).can_stop
  expect(SyncStatus.options.filter(canStop)).toEqual(['Queued', 'Running', 'Failed'])
})

test('Stop All and Stop Group act on queued and running tasks', () => {
  const stoppable = withStatus(...SyncStatus.options).filter((task) => isStoppable(model, task))
  expect(stoppable.map(({ task_status }) => task_status)).toEqual(['Queued', 'Running'])
})

test('a task is under way when it is queued, running or stopping, or its running_status says so', () => {
  const underWay = SyncStatus.options.filter((status) =>
    withStatus(status).some((task) => isUnderWay(model, task)),
  )
  expect(underWay).toEqual(['Queued', 'Running', 'Stopping'])
  expect(isUnderWay(model, exampleTask({ running_status: true }))).toBe(true)
})

test('without an event stream, live tasks are polled, failed ones refetched once, others not at all', () => {
  expect(watchNeeded(model, withStatus('Failed', 'Running'))).toBe('poll')
  expect(watchNeeded(model, withStatus('Failed', 'Success'))).toBe('once')
  expect(watchNeeded(model, withStatus('Success', 'Pending', 'Stopped'))).toBe('none')
  expect(watchNeeded(model, [])).toBe('none')
})
