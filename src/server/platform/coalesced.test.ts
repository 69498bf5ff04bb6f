import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { coalesced } from './coalesced.ts'

/** Until a look-up that waits for nothing else has begun. */
async function nextTurn(): Promise<void> {
  await turn()
  await turn()
}

/** A look-up that the test answers, and what it was asked. */
function answeredByTest(options: { patience_ms?: number; restMs?: (took_ms: number) => number } = {}) {
  const asked: { keys: readonly string[]; answer: (text: string) => void; fail: (error: Error) => void }[] =
    []
  const lookUp = coalesced(
    async (keys: readonly string[]) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      asked.push({ keys, answer: resolve, fail: reject })
      const text = await promise
      return new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key} ${text}`]))
    },
    { patience_ms: 60_000, ...options },
  )
  const find = async (key: string) => (await lookUp(key)).get(key)
  return { asked, find }
}

test('what is asked for at the same time is one look-up', async () => {
  const { asked, find } = answeredByTest()
  const answers = ['a', 'b', 'a', 'none'].map(find)
  await nextTurn()
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'b', 'none']])
  asked[0]?.answer('now')
  expect(await Promise.all(answers)).toEqual(['a now', 'b now', 'a now', undefined])
})

test('a look-up that has begun is nobody’s who asks later: all of those share the next', async () => {
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

test('who asks again as soon as they are answered is in the next, with those who have waited meanwhile', async () => {
  const { asked, find } = answeredByTest()
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

test('one that falls silent keeps nobody else from an answer', async () => {
  const { asked, find } = answeredByTest({ patience_ms: 10 })
  const silent = find('a')
  await nextTurn()
  const next = find('a')
  await expect.poll(() => asked.length).toBe(2)
  asked[1]?.answer('from another connection')
  expect(await next).toBe('a from another connection')
  asked[0]?.answer('late')
  expect(await silent).toBe('a late')
})

describe('with a rest between two look-ups', () => {
  const three = async (find: (key: string) => Promise<string | undefined>) => {
    const answers = ['a', 'b', 'c'].map(find)
    await nextTurn()
    return { answers }
  }

  test('who was answered and asks again shares the next, which begins as soon as all of them have asked', async () => {
    const { asked, find } = answeredByTest({ restMs: () => 60_000 })
    const { answers } = await three(find)
    asked[0]?.answer('before')
    await Promise.all(answers)
    const again = [find('a'), find('b')]
    await nextTurn()
    await nextTurn()
    expect(asked).toHaveLength(1)
    again.push(find('c'))
    await nextTurn()
    expect(asked.map(({ keys }) => keys)).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ])
    asked[1]?.answer('after')
    expect(await Promise.all(again)).toEqual(['a after', 'b after', 'c after'])
  })

  test('who asks alone is answered at once, again and again', async () => {
    const { asked, find } = answeredByTest({ restMs: () => 60_000 })
    for (let n = 0; n < 3; n += 1) {
      const alone = find('a')
      await nextTurn()
      await nextTurn()
      expect(asked).toHaveLength(n + 1)
      asked[n]?.answer(String(n))
      expect(await alone).toBe(`a ${n}`)
    }
  })

  test('who asks alone, and again while the rest goes on, ends it', async () => {
    const rest = Promise.withResolvers<void>()
    const { asked, find } = answeredByTest({
      restMs: () => {
        rest.resolve()
        return 60_000
      },
    })
    const alone = find('a')
    await nextTurn()
    asked[0]?.answer('before')
    expect(await alone).toBe('a before')
    await rest.promise
    await nextTurn()
    const again = find('a')
    await nextTurn()
    expect(asked).toHaveLength(2)
    asked[1]?.answer('after')
    expect(await again).toBe('a after')
  })

  test('one of many who asks again alone waits for the others no longer than the rest', async () => {
    const rests: number[] = []
    const restMs = (took_ms: number) => {
      rests.push(took_ms)
      return 1
    }
    const { asked, find } = answeredByTest({ restMs })
    const { answers } = await three(find)
    asked[0]?.answer('before')
    await Promise.all(answers)
    const alone = find('a')
    await expect.poll(() => asked.length).toBe(2)
    asked[1]?.answer('after')
    expect(await alone).toBe('a after')
    expect(rests[0]).toBeGreaterThan(0)
  })
})
