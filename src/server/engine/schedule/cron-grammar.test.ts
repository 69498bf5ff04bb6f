import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minutesThatFit } from '../../../../test/fixtures/cron-by-minutes.ts'
import { claimedTimes, readClaims } from '../../../../test/fixtures/cron-claims.ts'
import { nextRuns, parseCron } from './cron.ts'
import { InvalidCron } from './cron-fields.ts'
import { describeCron } from './describe-cron.ts'

const DAY_MS = 24 * 3_600_000
const NUMBER = String.raw`\d{1,2}`

/** The allowed values of each field, written down independently. */
const shapes = [
  { name: NUMBER, sign: null, from: 0, to: 59 },
  { name: NUMBER, sign: null, from: 0, to: 23 },
  { name: NUMBER, sign: /^(?:L|\d{1,2}W)$/i, from: 1, to: 31 },
  { name: `(?:${NUMBER}|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)`, sign: null, from: 1, to: 12 },
  {
    name: '(?:0?[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)',
    sign: /^(?:[0-7]|SUN|MON|TUE|WED|THU|FRI|SAT)(?:L|#[1-5])$/i,
    from: 0,
    to: 7,
  },
]

function hasShape(expression: string): boolean {
  const fields = expression.split(' ')
  return shapes.every(({ name, sign }, index) => {
    const range = new RegExp(`^(?:${name}|(?:\\*|${name}-${name})(?:/${NUMBER})?)$`, 'i')
    const field = fields[index] ?? ''
    if (index === 2 && field.toUpperCase() === 'LW') return true
    return field.split(',').every((part) => range.test(part) || (sign?.test(part) ?? false))
  })
}

const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
/** Mostly valid fields in every combination, sometimes one invalid character. */
const field = ({ from, to }: { from: number; to: number }, own: string[]) => {
  const number = fc.integer({ min: from, max: to }).map(String)
  const range = fc
    .tuple(number, number)
    .map((ends) => ends.toSorted((a, b) => Number(a) - Number(b)).join('-'))
  const stepped = fc
    .tuple(fc.oneof(fc.constant('*'), range), fc.integer({ min: 1, max: to }))
    .map((both) => both.join('/'))
  const part = fc.oneof(
    often(6, number),
    often(2, range),
    often(2, stepped),
    ...own.map((one) => fc.constant(one)),
  )
  const broken = fc
    .tuple(
      part,
      fc.constantFrom('*', ',', '-', '/', '#', 'L', 'W', '?', '0', 'MON', 'JAN', '.', '\u200b'),
      fc.nat(6),
    )
    .map(([text, sign, at]) => text.slice(0, at) + sign + text.slice(at))
  return fc.oneof(
    often(12, fc.constant('*')),
    often(10, part),
    often(
      5,
      fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(',')),
    ),
    often(2, broken),
  )
}
const [minute, hour, day, month, weekday] = shapes
const expression = fc
  .tuple(
    field(minute ?? { from: 0, to: 59 }, []),
    field(hour ?? { from: 0, to: 23 }, []),
    field(day ?? { from: 1, to: 31 }, ['L', 'LW', '1W', '15W', '31W']),
    field(month ?? { from: 1, to: 12 }, ['JAN', 'feb', 'MAR-JUL', 'OCT,DEC']),
    field(weekday ?? { from: 0, to: 7 }, [
      'SUN',
      'mon-FRI',
      '5L',
      'sunl',
      '7L',
      'TUE#2',
      '0#1',
      '5#5',
      '7#3',
    ]),
  )
  .map((fields) => fields.join(' '))

function isAccepted(text: string): boolean {
  try {
    parseCron(text)
    return true
  } catch (error) {
    if (!(error instanceof InvalidCron)) throw error
    // One sentence for users that names the field unless it concerns all of them, never the library's text.
    expect(error.message).toMatch(
      /^(?:(?:Minute|Hour|Day of month|Month|Day of week): .+\.$|This never runs: |This combination )/,
    )
    expect(error.message).not.toMatch(/CronPattern|Syntax|Invalid value|NaN/)
    return false
  }
}

/** The first times that are in only one of the lists. */
function differences(some: number[], others: number[]): string[] {
  const [these, those] = [new Set(some), new Set(others)]
  const only = [...some.filter((at) => !those.has(at)), ...others.filter((at) => !these.has(at))]
  return only.slice(0, 3).map((at) => new Date(at).toISOString())
}

test('the description and next runs of every accepted expression match a check of each minute', () => {
  let [accepted, refused, with_runs] = [0, 0, 0]
  fc.assert(
    fc.property(expression, fc.integer({ min: 0, max: 4 * 365 }), (cron, days) => {
      if (!isAccepted(cron)) {
        refused += 1
        return
      }
      accepted += 1
      expect([cron, hasShape(cron)]).toEqual([cron, true])
      const from = Date.UTC(2026, 0, 1) + days * DAY_MS
      // Long enough for every end of a month, or for schedules so frequent that one day suffices.
      const to = from + (cron.startsWith('*') ? 8 : 33) * DAY_MS
      const fitting = minutesThatFit(cron, { from, to })
      if (fitting.length > 0) with_runs += 1
      const words = describeCron(cron)
      expect([
        words,
        differences(claimedTimes(readClaims(words), { from, to: to - 60_000 }), fitting),
      ]).toEqual([words, []])
      const clock = { now: new Date(from - 1), zone: 'UTC' }
      const next = nextRuns(parseCron(cron), clock, 20).map((at) => at.getTime())
      expect(
        differences(
          next.filter((at) => at < to),
          fitting.slice(0, 20),
        ),
      ).toEqual([])
    }),
    { seed: 7, numRuns: 600 },
  )
  expect(accepted).toBeGreaterThan(350)
  expect(refused).toBeGreaterThan(40)
  expect(with_runs).toBeGreaterThan(200)
})
