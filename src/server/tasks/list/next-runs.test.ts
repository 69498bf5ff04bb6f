import { describe, expect, test } from 'vitest'
import { comingRuns, type DueText } from './next-runs.ts'

const zone = 'America/New_York'
const now = new Date('2026-01-15T12:00:00Z') // 07:00 in New York
const cron = (text: string, ...task_ids: number[]): DueText => ({ schedule: 'type', text, task_ids })
const all = (text: string, ...task_ids: number[]): DueText => ({ schedule: 'all', text, task_ids })
const shown = (dues: DueText[], window: { limit?: number; hours?: number } = {}) =>
  comingRuns(dues, { now, zone, limit: 20, ...window }).map(
    ({ task_id, at, cron }) => `${at.toISOString().slice(0, 16)} ${task_id} ${cron ?? 'all'}`,
  )

describe('the next run of each task, however far ahead', () => {
  test.each([
    ['by time, in the zone', [cron('0 9 * * *', 1), cron('0 8 * * *', 2)], ['T13:00 2', 'T14:00 1']],
    ['a task is there once', [cron('*/5 * * * *', 1)], ['T12:05 1']],
    ['the earlier of two schedules counts', [cron('0 9 * * *', 1), all('08:00', 1)], ['T13:00 1 all']],
    ['at the same moment the cron is named', [all('09:00', 1), cron('0 9 * * *', 1)], ['T14:00 1 0 9 * * *']],
    [
      'a rare one is there as well',
      [cron('*/5 * * * *', 1), cron('0 0 29 2 *', 2)],
      ['T12:05 1', '2028-02-29'],
    ],
    ['what no parser takes is left out', [cron('every morning', 1)], []],
  ])('%s', (_, dues, expected) => {
    expect(shown(dues)).toEqual(expected.map((part) => expect.stringContaining(part)))
  })

  test('at most the requested number', () => {
    expect(shown([cron('0 9 * * *', 1, 2, 3)], { limit: 2 })).toHaveLength(2)
  })
})

describe('all runs of so many hours', () => {
  test('a task is listed as often as it is due', () => {
    expect(shown([cron('0 */2 * * *', 1), all('09:00', 1, 2)], { hours: 4 })).toEqual([
      '2026-01-15T13:00 1 0 */2 * * *',
      '2026-01-15T14:00 1 all',
      '2026-01-15T14:00 2 all',
      '2026-01-15T15:00 1 0 */2 * * *',
    ])
  })

  test('two schedules at the same time are one run', () => {
    expect(shown([cron('0 9 * * *', 1), all('09:00', 1)], { hours: 3 })).toEqual([
      '2026-01-15T14:00 1 0 9 * * *',
    ])
  })

  test('at most the requested number, however often tasks are due', () => {
    expect(shown([cron('* * * * *', 1)], { hours: 168, limit: 3 })).toHaveLength(3)
  })
})
