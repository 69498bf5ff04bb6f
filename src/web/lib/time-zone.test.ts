import { expect, test } from 'vitest'
import { formatInZone, formatLongMoment, formatMoment, zoneLabelBetween } from './time-zone.ts'

test('times are shown in the schedule time zone, which is labelled EST for New York, in summer too', () => {
  expect(formatInZone('2026-11-20T09:00:00.000Z', 'America/New_York')).toBe('Fri, Nov 20, 2026, 04:00 EST')
  expect(formatInZone('2026-07-01T04:00:00.000Z', 'America/New_York')).toBe('Wed, Jul 1, 2026, 00:00 EST')
  expect(formatInZone('2026-07-01T22:30:00.000Z', 'Europe/Berlin')).toBe(
    'Thu, Jul 2, 2026, 00:30 Europe/Berlin',
  )
})

test('times in lists are short; on detail pages they have seconds and the zone', () => {
  const moment = '2026-11-20T03:59:07.000Z'
  expect(formatMoment(moment, 'America/New_York')).toBe('Nov 19, 22:59')
  expect(formatLongMoment(moment, 'America/New_York')).toBe('Nov 19, 2026, 22:59:07 EST')
  expect(formatLongMoment(moment, 'UTC')).toBe('Nov 20, 2026, 03:59:07 UTC')
})

test('a span in which the clock changes has both names of the zone', () => {
  const spring = ['2027-03-14T05:00:00.000Z', '2027-03-15T03:00:00.000Z'] as const
  expect(zoneLabelBetween(...spring, 'America/New_York')).toBe('EST → EDT')
  expect(zoneLabelBetween(...spring, 'Europe/Berlin')).toBe('Europe/Berlin')
  expect(zoneLabelBetween('2026-11-01T04:00:00.000Z', '2026-11-02T04:00:00.000Z', 'America/New_York')).toBe(
    'EDT → EST',
  )
  expect(zoneLabelBetween('2027-03-27T23:00:00.000Z', '2027-03-28T21:00:00.000Z', 'Europe/Berlin')).toBe(
    'GMT+1 → GMT+2',
  )
})
