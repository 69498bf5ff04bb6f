import { expect, test } from 'vitest'
import { OneAtATime } from './one-at-a-time.ts'

const { signal } = new AbortController()

test('jobs run one at a time, also after a failure; a job stopped while it waits does not run', async () => {
  const queue = new OneAtATime()
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const stopped = new AbortController()
  const all = [
    queue.run(async () => {
      await first.promise
      seen.push('first')
      throw new Error('broken')
    }, signal),
    queue.run(async () => seen.push('stopped'), stopped.signal),
    queue.run(async () => seen.push('last'), signal),
  ]
  stopped.abort(new Error('Stop'))
  await expect(all[1]).rejects.toThrow('Stop')
  expect(seen).toEqual([])
  first.resolve()
  await expect(all[0]).rejects.toThrow('broken')
  await all[2]
  expect(seen).toEqual(['first', 'last'])
})
