import { expect, test } from 'vitest'
import { formatInZone, formatLongMoment, formatMoment } from './time-zone.ts'

test('moments are shown in the schedule time zone, which is EST where that is New York, in summer too', () => {
  expect(formatInZone('2026-11-20T09:00:00.000Z', 'America/New_York')).toBe('Fri, Nov 20, 2026, 04:00 EST')
  expect(formatInZone('2026-07-01T04:00:00.000Z', 'America/New_York')).toBe('Wed, Jul 1, 2026, 00:00 EST')
  expect(formatInZone('2026-07-01T22:30:00.000Z', 'Europe/Berlin')).toBe(
    'Thu, Jul 2, 2026, 00:30 Europe/Berlin',
  )
})

test('moments in lists are short, those of a single thing go to the second and name their zone', () => {
  const moment = '2026-11-20T03:59:07.000Z'
  expect(formatMoment(moment, 'America/New_York')).toBe('Nov 19, 22:59')
  expect(formatLongMoment(moment, 'America/New_York')).toBe('Nov 19, 2026, 22:59:07 EST')
  expect(formatLongMoment(moment, 'UTC')).toBe('Nov 20, 2026, 03:59:07 UTC')
})
