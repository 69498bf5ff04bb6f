import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { jsonStream, StreamedReply } from './streamed-reply.ts'

type Page = { total: number; items: { n: number }[] }

async function* batches(...lists: { n: number }[][]) {
  yield* lists
}

const sent = async (fields: Partial<Page>, items: AsyncIterable<{ n: number }[]>) =>
  JSON.parse(await text(await jsonStream(new StreamedReply<Page>(fields, 'items', items))))

test('an object is sent with its list, for any batches', async () => {
  expect(await sent({ total: 3 }, batches([{ n: 1 }], [], [{ n: 2 }, { n: 3 }]))).toEqual({
    total: 3,
    items: [{ n: 1 }, { n: 2 }, { n: 3 }],
  })
  expect(await sent({}, batches())).toEqual({ items: [] })
})

test('a failure before the first items gives an error reply; a later one aborts the reply', async () => {
  async function* failing(after: number) {
    for (let n = 0; n < after; n += 1) yield [{ n }]
    throw new Error('The rows are gone.')
  }
  await expect(jsonStream(new StreamedReply<Page>({}, 'items', failing(0)))).rejects.toThrow(
    'The rows are gone.',
  )
  const begun = await jsonStream(new StreamedReply<Page>({}, 'items', failing(2)))
  await expect(text(begun)).rejects.toThrow('The rows are gone.')
})
