import { expect, test } from 'vitest'
import { oneAtATime } from './one-at-a-time.ts'

test('calls during a run cause one more run afterwards, never two at once', async () => {
  const rounds: (() => void)[] = []
  const call = oneAtATime(() => new Promise((done) => rounds.push(done)))
  const first = call()
  await Promise.all([call(), call()])
  expect(rounds).toHaveLength(1)
  rounds[0]?.()
  await expect.poll(() => rounds.length).toBe(2)
  rounds[1]?.()
  await first
  expect(rounds).toHaveLength(2)
  void call()
  expect(rounds).toHaveLength(3)
})

test('a call after a failure runs again', async () => {
  let count = 0
  const call = oneAtATime(async () => {
    count += 1
    if (count === 1) throw new Error('Not this time')
  })
  await expect(call()).rejects.toThrow('Not this time')
  await call()
  expect(count).toBe(2)
})
