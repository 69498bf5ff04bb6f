import { describe, expect, test } from 'vitest'
import { type NextOccurrences, nextOccurrences, pauseUntil } from './next-scan.ts'

const utc = (text: string) => new Date(`${text}Z`)
const none: NextOccurrences = new Map()

describe('the pause until the next schedule check', () => {
  const now = utc('2026-11-20T09:59:30')
  test.each<[string, (Date | null)[], number, number]>([
    ['to the moment', [utc('2026-11-20T10:00:00')], 60, 30_000],
    ['to the first of several', [utc('2026-11-20T12:00:00'), utc('2026-11-20T09:59:45')], 60, 15_000],
    ['none, when the moment has come meanwhile', [utc('2026-11-20T09:59:00')], 60, 0],
    ['the check interval, when nothing is due before', [utc('2026-11-20T12:00:00')], 60, 60_000],
    ['the check interval, when nothing is ever due', [null], 3600, 3_600_000],
    ['the check interval, when there is no schedule', [], 5, 5_000],
  ])('is %s', (_case, due, check_interval, pause) => {
    const next = new Map(due.map((at, index) => [`${index}`, at]))
    expect(pauseUntil(next, now, check_interval)).toBe(pause)
  })
})

describe('the next occurrences', () => {
  const zone = 'America/New_York'
  test('follow from times of day and cron expressions after the last checked minute', () => {
    const since = utc('2026-11-20T09:00:00')
    const occurrences = nextOccurrences(['04:00', '0 0 29 2 *', '0 0 30 2 *', 'nonsense'], {
      since,
      zone,
      known: none,
    })
    expect([...occurrences]).toEqual([
      ['04:00', utc('2026-11-21T09:00:00')],
      ['0 0 29 2 *', utc('2028-02-29T05:00:00')],
      ['0 0 30 2 *', null],
      ['nonsense', null],
    ])
  })

  test('are kept while in the future, advanced when passed, and deleted without a schedule', () => {
    const known = new Map([
      ['04:00', utc('2026-11-20T09:00:00')],
      ['23:00', utc('2030-01-01T00:00:00')],
      ['12:00', utc('2026-11-20T17:00:00')],
    ])
    const occurrences = nextOccurrences(['04:00', '23:00'], {
      since: utc('2026-11-20T09:00:00'),
      zone,
      known,
    })
    expect([...occurrences]).toEqual([
      ['04:00', utc('2026-11-21T09:00:00')],
      ['23:00', utc('2030-01-01T00:00:00')],
    ])
  })
})
