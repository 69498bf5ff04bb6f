import { expect, test } from 'vitest'
import type { Notification } from '../../../../contract/notifications/calls.ts'
import { groupNotifications, pageOf } from './grouped.ts'

const failure = (id: number, fields: Partial<Notification> = {}): Notification => ({
  key: `alarm ${id}`,
  kind: 'failed',
  title: `Task ${id}`,
  reason: 'No edit access',
  at: `2026-11-27T0${id % 10}:00:00.000Z`,
  over_at: null,
  is_read: false,
  task: { id, category: 'sync', config_id: null },
  ...fields,
})

test('500 failures with one cause are one line; another cause, the ended ones and mentions are lines of their own', () => {
  const many = Array.from({ length: 500 }, (_, index) => failure(index + 1))
  const groups = groupNotifications([
    ...many,
    failure(501, { reason: 'Quota' }),
    failure(502, { over_at: '2026-11-27T09:00:00.000Z' }),
    failure(503, { over_at: '2026-11-27T08:00:00.000Z' }),
    failure(504, { kind: 'mention', reason: 'Bob' }),
    failure(505, { kind: 'mention', reason: 'Bob' }),
  ])
  expect(groups.map(({ items }) => items.length).sort((a, b) => a - b)).toEqual([1, 1, 1, 2, 500])
  expect(groups.find(({ is_over }) => is_over)?.over_at).toBe('2026-11-27T09:00:00.000Z')
})

test('unread groups come first, then the newest', () => {
  const read = { is_read: true }
  const groups = groupNotifications([
    failure(9, { reason: 'A', ...read }),
    failure(1, { reason: 'B' }),
    failure(2, { reason: 'C', ...read }),
    failure(3, { reason: 'D' }),
  ])
  expect(groups.map(({ reason }) => reason)).toEqual(['D', 'B', 'A', 'C'])
})

test('each leads to the page that has the reason', () => {
  expect(pageOf(failure(7))).toBe('/sync_tasks/7/logs')
  const task = { id: 8, category: 'source', config_id: null } as const
  expect(pageOf(failure(8, { kind: 'approval', task }))).toBe('/source_tasks/8')
  expect(pageOf(failure(9, { task: { id: 9, category: 'compiler', config_id: 3 } }))).toBe('/compiler/3')
  expect(pageOf(failure(1, { kind: 'late', task: null }))).toBe('/schedule')
})
