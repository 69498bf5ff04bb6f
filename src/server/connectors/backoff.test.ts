import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Backoff, longBackoff } from './backoff.ts'

it('outlasts a quota window of one minute for any random number, and ends', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }), (dice) => {
      let now = 0
      let roll = 0
      const backoff = new Backoff(longBackoff, {
        now: () => now,
        random: () => dice[roll++ % dice.length] ?? 0,
      })
      for (let tries = 0; tries < 2_000; tries += 1) {
        const wait = backoff.next()
        if (wait === null) return now >= 61_000
        // A request takes its time as well, so that even rolling zero for ever comes to an end.
        now += wait + 100
      }
      return false
    }),
  )
})

it('spreads retries over the whole wait, so that callers that failed together do not retry together', () => {
  const highest = new Backoff(longBackoff, { now: () => 0, random: () => 0.999 })
  const lowest = new Backoff(longBackoff, { now: () => 0, random: () => 0 })
  expect([highest.next(), highest.next(), highest.next()].map((wait) => Math.round(wait ?? -1))).toEqual([
    999, 1998, 3996,
  ])
  expect([lowest.next(), lowest.next()]).toEqual([0, 0])
})

it('starts over after a success', () => {
  const backoff = new Backoff(longBackoff, { now: () => 0, random: () => 1 })
  backoff.next()
  backoff.next()
  backoff.reset()
  expect(backoff.next()).toBe(1_000)
})
