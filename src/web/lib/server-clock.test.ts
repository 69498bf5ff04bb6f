import { expect, test } from 'vitest'
import { ServerClock } from './server-clock.ts'

const date = (ms: number) => new Date(ms).toUTCString()

test('no offset is used if the browser clock is right, or the server time is unknown', () => {
  const clock = new ServerClock()
  clock.note(null, 0, 0)
  clock.note('nonsense', 0, 0)
  clock.note(date(50_000), 50_300, 50_400)
  expect(clock.at(50_400)).toBe(50_400)
})

test('a wrong clock is corrected, to within half a second plus the response time', () => {
  const clock = new ServerClock()
  clock.note(date(90_000), 50_300, 50_400)
  expect(Math.abs(clock.at(50_400) - 90_500)).toBeLessThanOrEqual(550)
})

test('later replies that agree do not change the offset', () => {
  const clock = new ServerClock()
  clock.note(date(90_000), 50_300, 50_400)
  const before = clock.at(60_000)
  clock.note(date(100_000), 60_400, 60_500)
  expect(clock.at(60_000)).toBe(before)
})
