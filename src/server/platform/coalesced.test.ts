import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

/** Resolves once a look-up that waits for no other one has started. */
async function nextTurn(): Promise<void> {
  await turn()
  await turn()
}

/** A look-up whose results the test supplies, and the keys it was called with. */
function answeredByTest(options: { max_wait_ms?: number } = {}) {
  const asked: { keys: readonly string[]; answer: (text: string) => void; fail: (error: Error) => void }[] =
    []
  const lookUp = coalesced(
    async (keys: readonly string[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ keys, answer: resolve, fail: reject })
      const text = await promise
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key} ${text}`]))
    },
    { max_wait_ms: 60_000, ...options },
  )
  const find = async (key: string) => (await lookUp(key)).get(key)
  return { asked, find }
}

test('keys requested at the same time share one look-up', async () => {
  const { asked, find } = answeredByTest()
  const answers = ['a', 'b', 'a', 'none'].map(find)
  await nextTurn()
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']])
  asked[0]?.answer('now')
  expect(await Promise.all(answers)).toEqual(['a now', 'b now', 'a now', undefined])
})

test('callers that come after a look-up has started share the next one', async () => {
  const { asked, find } = answeredByTest()
  const first = find('a')
  await nextTurn()
  const later = [find('a'), find('b')]
  await nextTurn()
  expect(asked).toHaveLength(1)
  asked[0]?.answer('before')
  expect(await first).toBe('a before')
  await nextTurn()
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['a', 'b']])
  asked[1]?.answer('after')
  expect(await Promise.all(later)).toEqual(['a after', 'b after'])
})

test('a failed look-up fails for the callers that share it only', async () => {
  const { asked, find } = answeredByTest()
  const failed = Promise.allSettled([find('a'), find('b')])
  await nextTurn()
  asked[0]?.fail(new Error('away'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = find('a')
  await nextTurn()
  asked[1]?.answer('again')
  expect(await next).toBe('a again')
})

test('a look-up without an answer does not block later callers', async () => {
  const { asked, find } = answeredByTest({ max_wait_ms: 10 })
  const silent = find('a')
  await nextTurn()
  const next = find('a')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.answer('from another connection')
  expect(await next).toBe('a from another connection')
  asked[0]?.answer('late')
  expect(await silent).toBe('a late')
})
