import { expect, test } from 'vitest'
import { sourceStatus, syncStatus, type TaskRunState } from './status.ts'

test.each<[TaskRunState, string, string]>([
  [null, 'Pending', 'new'],
  ['queued', 'Queued', 'pending'],
  ['running', 'Running', 'running'],
  ['stopping', 'Stopping', 'running'],
  ['stopped', 'Stopped', 'stopped'],
  ['success', 'Success', 'completed'],
  ['warning', 'Warning', 'completed'],
  ['failed', 'Failed', 'failed'],
  ['error', 'Error', 'failed'],
])('the state %s is %s of a sync task and %s of a source task', (state, sync, source) => {
  expect([syncStatus(state), sourceStatus(state, false)]).toEqual([sync, source])
})

test('only a failed source task becomes email_sent, once the mail was sent', () => {
  expect([sourceStatus('failed', true), sourceStatus('error', true)]).toEqual(['email_sent', 'email_sent'])
  expect([sourceStatus('success', true), sourceStatus('queued', true)]).toEqual(['completed', 'pending'])
})
