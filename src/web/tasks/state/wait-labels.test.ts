import { expect, test } from 'vitest'
import type { Wait } from '../../../contract/runs/waits.ts'
import { waitText } from './wait-labels.ts'

const now = Date.parse('2026-11-22T04:00:00.000Z')
const after = (seconds: number) => new Date(now + seconds * 1000).toISOString()

test.each<[Wait, number | null, string]>([
  [{ for: 'quota', service: 'Google', until: after(110) }, null, 'Waiting for Google’s quota, about 2 min'],
  [{ for: 'quota', service: 'Google', until: after(33) }, null, 'Waiting for Google’s quota, about 35 s'],
  [{ for: 'quota', service: 'Google', until: after(-1) }, null, 'Waiting for Google’s quota'],
  [
    { for: 'backoff', reason: 'Google could not answer (500).', until: after(7.4) },
    null,
    'Google could not answer (500), trying again in 8 s',
  ],
  [
    { for: 'retry', at: after(300), attempt: 2, error: 'Google could not answer (503).' },
    null,
    'Attempt 2 starts in 5 min: Google could not answer (503).',
  ],
  [{ for: 'retry', at: after(-1), attempt: 3, error: '' }, null, 'Attempt 3 starts in a moment'],
  [{ for: 'worker' }, null, 'No worker is running: it starts when one is'],
  [{ for: 'inputs', tasks: ['Supplier prices'], more: 0 }, null, 'Waits for Supplier prices'],
  [{ for: 'inputs', tasks: ['A', 'B', 'C'], more: 4 }, null, 'Waits for A, B, C and 4 more'],
  [{ for: 'prerequisites', types: ['Prices', 'Stock'] }, null, 'Waits for Prices, Stock'],
  [{ for: 'exclusive', task: 'Prices' }, null, 'Waits for Prices, which writes to the same sheet'],
  [
    { for: 'slot', type: 'Catalogue', at_work: 2, slots: 2 },
    14,
    'Catalogue is busy (2 of 2), position 14 in the queue',
  ],
  [
    { for: 'delay', type: 'Catalogue', until: after(25) },
    1,
    'Starts in 25 s: Catalogue has a delay between runs, position 1 in the queue',
  ],
  [{ for: 'turn' }, 1, 'Starts in a moment'],
  [{ for: 'pick_up' }, null, 'Waiting for a free worker'],
])('%j at position %s shows its reason', (wait, place, text) => {
  expect(waitText(wait, place, now)).toBe(text)
})
