import { expect, test } from 'vitest'
import { heartbeatTone, statusSentence, statusTone } from './source-state.ts'

test.each([
  ['running', 'running'],
  ['completed', 'success'],
  ['failed', 'error'],
  ['pending', 'neutral'],
  ['stopped', 'neutral'],
  ['new', 'neutral'],
] as const)(
  'status badge colours: running blue, completed green, failed red, anything else grey: %s',
  (status, tone) => {
    expect(statusTone(status)).toBe(tone)
  },
)

test.each([
  [0, 'success'],
  [60, 'success'],
  [61, 'warning'],
  [300, 'warning'],
  [301, 'error'],
])('green if the heartbeat age is at most 60 s, yellow up to 300 s, otherwise red: %d s', (age, tone) => {
  expect(heartbeatTone(age)).toBe(tone)
})

test('the status says when a scheduler last looked and how much there is to do', () => {
  const status = {
    status: 'running' as const,
    heartbeat: '2026-11-20T09:00:00.000Z',
    heartbeat_age_seconds: 61,
    check_interval: 60,
    stats: { queue_depth: 2, active_tasks: 1 },
  }
  expect(statusSentence(status)).toBe('Last look 1m 1s ago · 2 queued · 1 running')
})
