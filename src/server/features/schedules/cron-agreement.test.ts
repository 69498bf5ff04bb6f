import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Claims, claimedTimes, readClaims } from '../../../../test/fixtures/cron-claims.ts'
import { type CronSchedule, nextRuns, occurrences, parseCron } from '../../engine/schedule/cron.ts'
import { InvalidCron } from '../../engine/schedule/cron-fields.ts'
import { describeCron } from '../../engine/schedule/describe-cron.ts'
import { wallTime } from '../../engine/schedule/wall-time.ts'
import { clockWarnings } from './queries/clock-warnings.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

type Place = { zone: string; at: string; change: { day: string; from: string; to: string } | null }

// As the laws of these places have it. Without a change: any day.
const places: Place[] = [
  { zone: 'UTC', at: '2027-02-27T23:00Z', change: null },
  { zone: 'Asia/Kolkata', at: '2027-12-30T20:30Z', change: null },
  {
    zone: 'America/New_York',
    at: '2027-03-14T07:00Z',
    change: { day: 'Mar 14, 2027', from: '02:00', to: '03:00' },
  },
  {
    zone: 'America/New_York',
    at: '2027-11-07T06:00Z',
    change: { day: 'Nov 7, 2027', from: '02:00', to: '01:00' },
  },
  {
    zone: 'Europe/London',
    at: '2027-03-28T01:00Z',
    change: { day: 'Mar 28, 2027', from: '01:00', to: '02:00' },
  },
  {
    zone: 'Europe/London',
    at: '2027-10-31T01:00Z',
    change: { day: 'Oct 31, 2027', from: '02:00', to: '01:00' },
  },
  {
    zone: 'Atlantic/Azores',
    at: '2027-03-28T01:00Z',
    change: { day: 'Mar 28, 2027', from: '00:00', to: '01:00' },
  },
  {
    zone: 'Atlantic/Azores',
    at: '2027-10-31T01:00Z',
    change: { day: 'Oct 31, 2027', from: '01:00', to: '00:00' },
  },
  {
    zone: 'Australia/Lord_Howe',
    at: '2027-04-03T15:00Z',
    change: { day: 'Apr 4, 2027', from: '02:00', to: '01:30' },
  },
  {
    zone: 'Australia/Lord_Howe',
    at: '2027-10-02T15:30Z',
    change: { day: 'Oct 3, 2027', from: '02:00', to: '02:30' },
  },
]

const number = (min: number, max: number) => fc.integer({ min, max }).map(String)
const range = (min: number, max: number) =>
  fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`)
const stepped = (base: fc.Arbitrary<string>, max: number) =>
  fc.tuple(base, fc.integer({ min: 1, max })).map(([from, step]) => `${from}/${step}`)
const list = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(','))

/** A field: mostly a number or a star, sometimes all that a field may be. */
function field(min: number, max: number, { star, others = [] }: { star: number; others?: string[] }) {
  const one = number(min, max)
  const part = fc.oneof(
    { weight: 6, arbitrary: one },
    range(min, max),
    ...others.map((other) => fc.constant(other)),
  )
  return fc.oneof(
    { weight: star, arbitrary: fc.constant('*') },
    { weight: 20, arbitrary: part },
    { weight: 6, arbitrary: list(part) },
    { weight: 3, arbitrary: stepped(fc.oneof(fc.constant('*'), range(min, max)), max) },
  )
}

const expression = fc
  .tuple(
    field(0, 59, { star: 1 }),
    fc.oneof(field(0, 23, { star: 6 }), field(0, 3, { star: 0 })),
    field(1, 31, { star: 40, others: ['L', 'LW', '1W', '15W', '31W'] }),
    field(1, 12, { star: 60, others: ['JAN', 'feb', 'MAR-JUL'] }),
    field(0, 7, { star: 40, others: ['SUN', 'mon-FRI', '5L', '0L', 'wed'] }),
  )
  .map((fields) => fields.join(' '))

/** What a clock that follows these claims would start from `from` to `to`, as the clocks of the place show it. */
function startsByClaims(
  claims: Claims,
  wildcard: boolean,
  { zone, at, change }: Place,
  from: Date,
  to: Date,
): number[] {
  const [first, last] = [wallTime(from, zone) + MINUTE_MS, wallTime(to, zone)]
  if (!change) return claimedTimes(claims, { from: first, to: last })
  const midnight = Math.floor(wallTime(new Date(at), zone) / DAY_MS) * DAY_MS
  const [before, after] = [wallAt(midnight, change.from), wallAt(midnight, change.to)]
  const early = claimedTimes(claims, { from: first, to: before - MINUTE_MS })
  // Fixed hours are due once where they repeat, and right after it where they are missing.
  const late = claimedTimes(claims, { from: wildcard ? after : Math.max(before, after), to: last })
  const jumped = !wildcard && claimedTimes(claims, { from: before, to: after - MINUTE_MS }).length > 0
  return [...early, ...(jumped && late[0] !== after ? [after] : []), ...late]
}

/** Times by these claims that the change of the clock shifts, leaves out or doubles. */
function touchedTimes(claims: Claims, wildcard: boolean, { change }: Place): string[] {
  if (!change) return []
  const midnight = Date.parse(`${change.day} UTC`)
  const [before, after] = [wallAt(midnight, change.from), wallAt(midnight, change.to)]
  const forward = after > before
  if (!wildcard && !forward) return []
  const walls = claimedTimes(claims, {
    from: Math.min(before, after),
    to: Math.max(before, after) - MINUTE_MS,
  })
  const shown = new Set(claimedTimes(claims, { from: midnight, to: midnight + DAY_MS }))
  return walls
    .filter((wall) => !wildcard || !shown.has(wall + Math.abs(after - before)))
    .map((wall) => new Date(wall).toISOString().slice(11, 16))
}

const wallAt = (midnight: number, time: string) => {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  return midnight + hour * HOUR_MS + minute * MINUTE_MS
}

function parsed(cron: string): CronSchedule | null {
  try {
    return parseCron(cron)
  } catch (error) {
    if (error instanceof InvalidCron) return null
    throw error
  }
}

// As text: ten thousand comparisons of lists take longer than all that is compared.
const same = (times: number[], expected: number[]) => expect(times.join(' ')).toBe(expected.join(' '))

test('description, preview and scheduler agree on 10,000 expressions, in several zones and across clock changes', () => {
  let checked = 0
  fc.assert(
    fc.property(
      expression,
      fc.constantFrom(...places),
      fc.integer({ min: 1, max: 150 }),
      (cron, place, minutes) => {
        const schedule = parsed(cron)
        if (schedule === null) return
        checked += 1
        const claims = readClaims(describeCron(cron))
        // Some dozen occurrences, so that a change of the clock is among them.
        const length = Math.min(Math.max((12 / claims.times.length) * DAY_MS, 5 * HOUR_MS), 20 * DAY_MS)
        const now = new Date(Date.parse(place.at) - Math.min(minutes * MINUTE_MS, length / 2))
        const to = new Date(now.getTime() + length)
        const due = occurrences(schedule, { from: now, to, zone: place.zone })
        const wildcard = cron.split(' ')[1]?.startsWith('*') ?? false
        const shown = due.map((at) => wallTime(at, place.zone))
        same(shown, startsByClaims(claims, wildcard, place, now, to))

        const preview = nextRuns(schedule, { now, zone: place.zone }, 3).map((at) => at.getTime())
        same(
          preview.slice(0, due.length),
          due.slice(0, 3).map((at) => at.getTime()),
        )
        expect(preview.length).toBe(3)

        if (place.change) {
          const { day } = place.change
          const warnings = clockWarnings(schedule, { now, zone: place.zone }).filter((warning) =>
            warning.includes(day),
          )
          const touched = touchedTimes(claims, wildcard, place)
          expect(warnings.length).toBe(touched.length > 0 ? 1 : 0)
          if (touched.length < 5) for (const time of touched) expect(warnings[0]).toContain(time)
        }
        // Those of the preview that are not among the occurrences above, however far ahead they are.
        if (due.length >= 3) return
        const plain = nextRuns(schedule, { now, zone: 'UTC' }, 3).map((at) => at.getTime())
        same(claimedTimes(claims, { from: now.getTime() + 1, to: plain[2] ?? 0 }), plain)
      },
    ),
    { seed: 11, numRuns: 10_000 },
  )
  expect(checked).toBeGreaterThan(9_000)
})
