import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { everySecond } from './use-server-second.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('all subscribers are called every second by one timer, which ends with the last of them', () => {
  const calls: string[] = []
  const ends = ['first', 'second'].map((name) => everySecond(() => calls.push(name)))
  vi.advanceTimersByTime(3_000)
  expect(calls).toEqual(['first', 'second', 'first', 'second', 'first', 'second'])
  ends[0]?.()
  vi.advanceTimersByTime(1_000)
  expect(calls.slice(6)).toEqual(['second'])
  ends[1]?.()
  expect(vi.getTimerCount()).toBe(0)
})
