import { expect, test } from 'vitest'
import { formatInZone } from './time-zone.ts'

test('moments are shown in the schedule time zone, which is EST where that is New York, in summer too', () => {
  expect(formatInZone('2026-11-20T09:00:00.000Z', 'America/New_York')).toBe('Fri, Nov 20, 2026, 04:00 EST')
  expect(formatInZone('2026-07-01T04:00:00.000Z', 'America/New_York')).toBe('Wed, Jul 1, 2026, 00:00 EST')
  expect(formatInZone('2026-07-01T22:30:00.000Z', 'Europe/Berlin')).toBe(
    'Thu, Jul 2, 2026, 00:30 Europe/Berlin',
  )
})
