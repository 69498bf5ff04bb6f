import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

/** Until a look-up that waits for nothing else has begun. */
async function nextTurn(): Promise<void> {
  await turn()
  await turn()
}

/** A look-up that the test answers, and what it was asked. */
function byHand(patience_ms = 60_000) {
  const asked: { keys: readonly string[]; answer: (text: string) => void; fail: (error: Error) => void }[] =
    []
  const lookUp = coalesced(async (keys: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    asked.push({ keys, answer: resolve, fail: reject })
    const text = await promise
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key} ${text}`]))
  }, patience_ms)
  const find = async (key: string) => (await lookUp(key)).get(key)
  return { asked, find }
}

test('what is asked for at the same time is one look-up', async () => {
  const { asked, find } = byHand()
  const answers = ['a', 'b', 'a', 'none'].map(find)
  await nextTurn()
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']])
  asked[0]?.answer('now')
  expect(await Promise.all(answers)).toEqual(['a now', 'b now', 'a now', undefined])
})

test('a look-up that has begun is nobody’s who asks later: all of those share the next', async () => {
  const { asked, find } = byHand()
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

test('who asks again as soon as they are answered is in the next, with those who have waited meanwhile', async () => {
  const { asked, find } = byHand()
  const first = find('a')
  await nextTurn()
  const waiting = find('b')
  // An answer has to be sent, and the question after it read.
  const again = first.then(async () => {
    await turn()
    return find('c')
  })
  asked[0]?.answer('before')
  await first
  await nextTurn()
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']])
  asked[1]?.answer('after')
  expect(await Promise.all([waiting, again])).toEqual(['b after', 'c after'])
})

test('one that fails fails for those who share it, and for nobody after them', async () => {
  const { asked, find } = byHand()
  const failed = Promise.allSettled([find('a'), find('b')])
  await nextTurn()
  asked[0]?.fail(new Error('away'))
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = find('a')
  await nextTurn()
  asked[1]?.answer('again')
  expect(await next).toBe('a again')
})

test('one that falls silent keeps nobody else from an answer', async () => {
  const { asked, find } = byHand(10)
  const silent = find('a')
  await nextTurn()
  const next = find('a')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.answer('from another connection')
  expect(await next).toBe('a from another connection')
  asked[0]?.answer('late')
  expect(await silent).toBe('a late')
})
