import { expect, test } from 'vitest'
import { ServerClock } from './server-clock.ts'

const date = (ms: number) => new Date(ms).toUTCString()

test('a browser whose clock is right, or unknown, keeps its own', () => {
  const clock = new ServerClock()
  clock.note(null, 0, 0)
  clock.note('nonsense', 0, 0)
  clock.note(date(50_000), 50_300, 50_400)
  expect(clock.at(50_400)).toBe(50_400)
})

test('a wrong clock is put right to half a second and the time that the reply took', () => {
  const clock = new ServerClock()
  clock.note(date(90_000), 50_300, 50_400)
  expect(Math.abs(clock.at(50_400) - 90_500)).toBeLessThanOrEqual(550)
})

test('later replies that agree do not move it', () => {
  const clock = new ServerClock()
  clock.note(date(90_000), 50_300, 50_400)
  const before = clock.at(60_000)
  clock.note(date(100_000), 60_400, 60_500)
  expect(clock.at(60_000)).toBe(before)
})
