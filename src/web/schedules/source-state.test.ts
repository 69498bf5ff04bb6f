import { expect, test } from 'vitest'
import { scheduleMessages } from '../../contract/schedules/client-messages.ts'

import { heartbeatTone, statusMessage, statusTone } from './source-state.ts'

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

const status = {
  status: 'running' as const,
  heartbeat: '2026-11-20T09:00:00.000Z',
  heartbeat_age_seconds: 3,
  scheduler_alive: true,
  workers: 1,
  check_interval: 60,
  stats: { queue_depth: 2, active_tasks: 1 },
}

test.each([
  [{}, 'Scheduler seen 3s ago · checks every 60 s · 2 queued · 1 running'],
  [
    { scheduler_alive: false, heartbeat_age_seconds: 61 },
    `${scheduleMessages.no_scheduler} · Scheduler seen 1m 1s ago · checks every 60 s · 2 queued · 1 running`,
  ],
  [
    { workers: 0 },
    `Scheduler seen 3s ago · checks every 60 s · 2 queued · 1 running · ${scheduleMessages.no_source_workers}`,
  ],
  [
    { workers: 0, stats: { queue_depth: 0, active_tasks: 0 } },
    'Scheduler seen 3s ago · checks every 60 s · 0 queued · 0 running',
  ],
])('the status shows workers and pending work: %j', (fields, sentence) => {
  expect(statusMessage({ ...status, ...fields })).toBe(sentence)
})
