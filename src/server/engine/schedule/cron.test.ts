import { describe, expect, test } from 'vitest'
import { dailyAt, nextRun, occurrences, parseCron } from './cron.ts'

const NEW_YORK = 'America/New_York'
const LONDON = 'Europe/London'
// Its clock changes by half an hour.
const LORD_HOWE = 'Australia/Lord_Howe'

const utc = (text: string) => new Date(`${text}:00Z`)

function dueOn(day: string, cron: string, zone: string): string[] {
  const from = new Date(utc(`${day}T00:00`).getTime() - 1)
  const to = new Date(from.getTime() + 24 * 3_600_000)
  return occurrences(parseCron(cron), { from, to, zone }).map((at) => at.toISOString().slice(11, 16))
}

describe('an invalid cron expression', () => {
  test.each([
    [
      '',
      'A cron expression has five fields: minute, hour, day of month, month, day of week. This one has 0.',
    ],
    [
      '0 2 * *',
      'A cron expression has five fields: minute, hour, day of month, month, day of week. This one has 4.',
    ],
    [
      '0 0 2 * * *',
      'A cron expression has five fields: minute, hour, day of month, month, day of week. This one has 6.',
    ],
    [
      '@daily',
      'A cron expression has five fields: minute, hour, day of month, month, day of week. This one has 1.',
    ],
    ['60 * * * *', 'Minute: "60" is out of range. Write numbers from 0 to 59.'],
    ['0 24 * * *', 'Hour: "24" is out of range. Write numbers from 0 to 23.'],
    ['*/0 * * * *', 'Minute: "*/0" has a step out of range. Write a step from 1 to 60.'],
    ['0 0 30 2 *', 'This never runs: there is no such day'],
    ['0 0 31 2,4,6,9,11 *', 'This never runs: there is no such day'],
    [
      '5* * * * *',
      'Minute: "5*" is not a minute. Write numbers, a range such as 1-5, a step such as */2, or *.',
    ],
    ['1*2 * * * *', 'Minute: "1*2" is not a minute.'],
    ['0 5* * * *', 'Hour: "5*" is not an hour.'],
    ['5*,7 * * * *', 'Minute: "5*" is not a minute.'],
    ['* * * * SUNMON', 'Day of week: "SUNMON" is not a day of the week.'],
    ['* * * * MON5', 'Day of week: "MON5" is not a day of the week.'],
    ['0 2 * JANFEB *', 'Month: "JANFEB" is not a month. Write numbers, or JAN to DEC, a range'],
    ['0 2 32W * *', 'Day of month: "32W" is not a day.'],
    ['0 2 LL * *', 'Day of month: "LL" is not a day.'],
    ['0 2 L-2 * *', 'Day of month: "L-2" is not a day.'],
    ['0 2 LW,15 * *', 'Day of month: "LW" is not a day.'],
    ['0 2 * * 5#6', 'Day of week: "5#6" is not a day of the week.'],
    ['0/15 * * * *', 'Minute: "0/15" takes steps from one number. Write 0-59/15, or */15.'],
    ['*/61 * * * *', 'Minute: "*/61" has a step out of range. Write a step from 1 to 60.'],
    ['*/5/2 * * * *', 'Minute: "*/5/2" has no step after the slash.'],
    ['1, * * * *', 'Minute: a comma has nothing before or after it. Remove it.'],
    ['0 0 * * FRI-MON', 'Day of week: "FRI-MON" ends before it begins.'],
    ['0 0 ? * *', 'Day of month: "?" is not a day.'],
    ['0\u200b 0 * * *', 'Minute: "0[U+200B]" is not a minute.'],
    [`${'0,'.repeat(5000)}0 * * * *`, 'A cron expression has at most 200 characters'],
  ])('%s', (text, message) => {
    expect(() => parseCron(text)).toThrow(message)
  })
})

test.each(['\t', '\n', '\u00a0', '\u3000', ' \u2003 ', '\u0085', '\ufeff'])(
  'any blanks separate fields: %j',
  (blank) => {
    const text = ['', '0', '2', '*', '*', '1', ''].join(blank)
    const from = { now: utc('2026-11-20T06:59'), zone: NEW_YORK }
    expect(nextRun(parseCron(text), from)).toEqual(nextRun(parseCron('0 2 * * 1'), from))
  },
)

describe('the next run', () => {
  test.each([
    ['0 2 * * *', '2026-11-20T06:59', NEW_YORK, '2026-11-20T07:00'],
    ['0 2 * * *', '2026-11-20T07:00', NEW_YORK, '2026-11-21T07:00'],
    ['0 2 * * MON', '2026-11-20T07:00', NEW_YORK, '2026-11-23T07:00'],
    ['0 4 29 2 *', '2026-11-20T07:00', NEW_YORK, '2028-02-29T09:00'],
    // 2100 is not a leap year.
    ['0 4 29 2 *', '2096-03-01T00:00', 'UTC', '2104-02-29T04:00'],
    ['0 4 31 * *', '2026-02-01T00:00', NEW_YORK, '2026-03-31T08:00'],
    ['0 4 31 * *', '2026-03-31T08:00', NEW_YORK, '2026-05-31T08:00'],
    ['0 0 1 * *', '2026-02-28T23:59', 'UTC', '2026-03-01T00:00'],
    ['0 4 1,31 * *', '2027-02-02T00:00', 'UTC', '2027-03-01T04:00'],
    ['0 4 2,30 * *', '2028-02-20T00:00', 'UTC', '2028-03-02T04:00'],
    // 1 March in London is still the last day of February in New York.
    ['0 22 28 2 *', '2026-02-28T23:00', NEW_YORK, '2026-03-01T03:00'],
    ['0 4 13 * 5', '2026-11-14T12:00', 'UTC', '2026-11-20T04:00'],
    ['59 23 31 12 *', '2026-11-20T00:00', 'UTC', '2026-12-31T23:59'],
    ['*/15 * * * *', '2026-11-20T07:01', NEW_YORK, '2026-11-20T07:15'],
    // The hour from 01:00 to 02:00 occurs twice: 05:30 is the first 01:30, 06:30 the second.
    ['30 * * * *', '2026-11-01T05:30', NEW_YORK, '2026-11-01T06:30'],
    ['45 1 * * *', '2026-11-01T05:30', NEW_YORK, '2026-11-01T05:45'],
    ['15 1 * * *', '2026-11-01T05:30', NEW_YORK, '2026-11-02T06:15'],
    ['30 2 * * *', '2026-03-08T06:00', NEW_YORK, '2026-03-08T07:00'],
    ['30 1 * * *', '2026-03-29T00:00', LONDON, '2026-03-29T01:00'],
    ['30 1 * * *', '2026-10-25T00:30', LONDON, '2026-10-26T01:30'],
    ['15 2 * * *', '2026-10-03T15:00', LORD_HOWE, '2026-10-03T15:30'],
    ['45 1 * * *', '2026-04-04T14:45', LORD_HOWE, '2026-04-05T15:15'],
  ])('of %s after %s in %s', (cron, now, zone, due) => {
    expect(nextRun(parseCron(cron), { now: utc(now), zone })).toEqual(utc(due))
  })
})

describe('a fixed hour on the day the clock is put forward', () => {
  test.each([
    ['before the gap', '2026-03-08', '30 1 * * *', NEW_YORK, ['06:30']],
    ['in the gap: once, right after it', '2026-03-08', '30 2 * * *', NEW_YORK, ['07:00']],
    ['several in the gap: once', '2026-03-08', '*/15 2 * * *', NEW_YORK, ['07:00']],
    ['after the gap', '2026-03-08', '0 3 * * *', NEW_YORK, ['07:00']],
    ['London', '2026-03-29', '30 1 * * *', LONDON, ['01:00']],
    ['London, after the gap', '2026-03-29', '0 2 * * *', LONDON, ['01:00']],
    ['Lord Howe, half an hour', '2026-10-03', '15 2 * * *', LORD_HOWE, ['15:30']],
    ['a zone without such days', '2026-03-08', '30 2 * * *', 'UTC', ['02:30']],
  ])('%s', (_case, day, cron, zone, due) => {
    expect(dueOn(day, cron, zone)).toEqual(due)
  })
})

describe('a fixed hour on the day the clock is put back', () => {
  test.each([
    ['in the hour that repeats: once', '2026-11-01', '30 1 * * *', NEW_YORK, ['05:30']],
    [
      'each of its minutes once',
      '2026-11-01',
      '*/15 1 * * *',
      NEW_YORK,
      ['05:00', '05:15', '05:30', '05:45'],
    ],
    ['after it', '2026-11-01', '0 2 * * *', NEW_YORK, ['07:00']],
    ['London', '2026-10-25', '30 1 * * *', LONDON, ['00:30']],
    ['Lord Howe, half an hour', '2026-04-04', '45 1 * * *', LORD_HOWE, ['14:45']],
    ['a zone without such days', '2026-11-01', '30 1 * * *', 'UTC', ['01:30']],
  ])('%s', (_case, day, cron, zone, due) => {
    expect(dueOn(day, cron, zone)).toEqual(due)
  })
})

describe('a wildcard hour follows elapsed time', () => {
  test.each([
    ['forward in New York', '2026-03-08', NEW_YORK, 24],
    ['back in New York', '2026-11-01', NEW_YORK, 24],
    ['forward in London', '2026-03-29', LONDON, 24],
    ['back in London', '2026-10-25', LONDON, 24],
    ['in UTC', '2026-03-29', 'UTC', 24],
  ])('every hour, %s', (_case, day, zone, count) => {
    expect(dueOn(day, '0 * * * *', zone)).toHaveLength(count)
  })
  test('every quarter of an hour around a jump by half an hour', () => {
    expect(dueOn('2026-10-03', '*/15 * * * *', LORD_HOWE)).toHaveLength(96)
    expect(dueOn('2026-04-04', '*/15 * * * *', LORD_HOWE)).toHaveLength(96)
  })
})

test('a time of day is due once a day, whichever minute of it is asked', () => {
  for (let day = 1; day <= 28; day += 1) {
    const from = new Date(Date.UTC(2026, 2, day, 5))
    const to = new Date(from.getTime() + (day === 8 ? 23 : 24) * 3_600_000)
    expect(occurrences(dailyAt('02:30'), { from, to, zone: NEW_YORK }).length).toBe(1)
  }
})

describe('days that not every month has', () => {
  test.each([
    ['0 4 31 * *', 2026, 7],
    ['0 4 30 * *', 2026, 11],
    ['0 4 29 * *', 2026, 11],
    ['0 4 29 * *', 2028, 12],
    ['0 4 29 2 *', 2027, 0],
    ['0 4 29 2 *', 2028, 1],
  ])('%s is due in %d this often: %d', (cron, year, count) => {
    const window = { from: utc(`${year - 1}-12-31T23:59`), to: utc(`${year}-12-31T23:59`), zone: 'UTC' }
    expect(occurrences(parseCron(cron), window)).toHaveLength(count)
  })
})

describe('a clock that jumps', () => {
  const zone = NEW_YORK
  const due = (from: string, to: string) =>
    occurrences(parseCron('0 * * * *'), { from: utc(from), to: utc(to), zone }).map((at) =>
      at.toISOString().slice(11, 16),
    )
  test('two hours forward makes the skipped times due', () => {
    expect(due('2026-11-20T09:10', '2026-11-20T11:10')).toEqual(['10:00', '11:00'])
  })
  test('two hours back makes nothing due until the time of the last check', () => {
    expect(due('2026-11-20T11:10', '2026-11-20T09:10')).toEqual([])
    expect(due('2026-11-20T11:10', '2026-11-20T11:59')).toEqual([])
    expect(due('2026-11-20T11:10', '2026-11-20T12:00')).toEqual(['12:00'])
  })
})
