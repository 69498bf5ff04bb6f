import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventStream } from './event-stream.ts'

const event = z.object({ n: z.int() })
const never = async function* (): AsyncGenerator<{ n: number }> {
  await new Promise(() => undefined)
}

test('a silent stream beats, and ends at the first beat after the session is over', async () => {
  let asked = 0
  const alive = async () => ++asked < 3
  const { signal } = new AbortController()
  const stream = eventStream(never(), { event, signal, alive, heartbeatMs: 1 })
  expect(await text(stream)).toBe('retry: 2000\n: open\n\n: beat\n\n: beat\n\n')
})

test('an event that does not fit its declaration breaks the stream', async () => {
  const events = async function* () {
    yield { n: 'one' }
  }
  const { signal } = new AbortController()
  const stream = eventStream(events(), { event, signal, alive: async () => true })
  await expect(text(stream)).rejects.toThrow('expected number')
})
