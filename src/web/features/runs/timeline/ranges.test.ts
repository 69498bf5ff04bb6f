import { expect, test } from 'vitest'
import { midnight, momentOf, ticksOf } from '../../../lib/zone-time.ts'
import { panned, rangeAt, revealed, zoomed } from './ranges.ts'

const zone = 'America/New_York'
const at = (text: string) => Date.parse(text)
const iso = (moment: number) => new Date(moment).toISOString()

test.each([
  ['in the morning', '2026-11-20T13:30:00Z'],
  ['while it is not over', '2026-11-20T10:00:00Z'],
])('last night is from 20:00 to 08:00 of the zone, %s', (_case, now) => {
  const { from, to } = rangeAt('night', at(now), zone)
  expect([iso(from), iso(to)]).toEqual(['2026-11-20T01:00:00.000Z', '2026-11-20T13:00:00.000Z'])
})

test('today begins at midnight of the zone; ranges up to now leave room for what just began', () => {
  const now = at('2026-11-20T13:30:00Z')
  expect(iso(rangeAt('today', now, zone).from)).toBe('2026-11-20T05:00:00.000Z')
  for (const name of ['today', 'day', 'week'] as const)
    expect(rangeAt(name, now, zone).to).toBeGreaterThan(now)
})

test('midnight and round times follow the clocks through a change to and from summer time', () => {
  expect(iso(midnight(at('2026-03-08T18:00:00Z'), zone))).toBe('2026-03-08T05:00:00.000Z')
  expect(iso(midnight(at('2026-03-08T18:00:00Z'), zone, 1))).toBe('2026-03-09T04:00:00.000Z')
  expect(iso(momentOf(at('2026-11-01T12:00:00Z'), zone))).toBe('2026-11-01T17:00:00.000Z')
  const view = { from: at('2026-11-01T04:00:00Z'), to: at('2026-11-01T18:00:00Z') }
  expect(ticksOf(view, zone, 5).map(iso)).toEqual([
    '2026-11-01T04:00:00.000Z',
    '2026-11-01T08:00:00.000Z',
    '2026-11-01T11:00:00.000Z',
    '2026-11-01T14:00:00.000Z',
    '2026-11-01T17:00:00.000Z',
  ])
})

const domain = { from: 0, to: 10_000_000 }

test('zooming keeps the moment under the pointer in its place, and ends at a minute and at the whole range', () => {
  const view = zoomed(domain, domain, 0.5, 2_500_000)
  expect(view).toEqual({ from: 1_250_000, to: 6_250_000 })
  let small = view
  for (let n = 0; n < 50; n += 1) small = zoomed(small, domain, 0.5, 2_500_000)
  expect(small.to - small.from).toBe(60_000)
  let large = small
  for (let n = 0; n < 50; n += 1) large = zoomed(large, domain, 2, 2_500_000)
  expect(large).toEqual(domain)
})

test('moving ends at the borders; a bar out of sight is brought into it', () => {
  const view = { from: 1_000_000, to: 2_000_000 }
  expect(panned(view, domain, -5)).toEqual({ from: 0, to: 1_000_000 })
  expect(panned(view, domain, 50)).toEqual({ from: 9_000_000, to: 10_000_000 })
  expect(revealed(view, domain, 1_500_000)).toEqual(view)
  const moved = revealed(view, domain, 5_000_000)
  expect(moved.from).toBeLessThan(5_000_000)
  expect(moved.to).toBeGreaterThan(5_000_000)
  expect(moved.to - moved.from).toBe(1_000_000)
})
