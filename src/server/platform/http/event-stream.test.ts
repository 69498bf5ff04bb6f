import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { eventStream } from './event-stream.ts'

const event = z.object({ n: z.int() })
const never = async function* (): AsyncGenerator<{ n: number }> {
  await new Promise(() => undefined)
}

const { signal } = new AbortController()
const endless = async function* () {
  for (let n = 0; ; n += 1) {
    await new Promise(setImmediate)
    yield { n }
  }
}

test('an idle stream sends heartbeats and ends with its signal', async () => {
  const over = new AbortController()
  const stream = eventStream(never(), { event, signal: over.signal, heartbeatMs: 1 })
  let sent = ''
  for await (const bytes of stream) {
    sent += bytes
    if (sent.includes(': beat\n\n: beat')) over.abort()
  }
  expect(sent).toMatch(/^retry: 2000\n: open\n\n(: beat\n\n)+$/)
})

test('a busy stream ends with its signal and stops its source', async () => {
  const events = endless()
  const over = new AbortController()
  let sent = ''
  for await (const bytes of eventStream(events, { event, signal: over.signal })) {
    sent += bytes
    if (sent.includes('data: {"n":1}')) over.abort()
  }
  expect(await events.next()).toMatchObject({ done: true })
})

test('a stream whose reader does not read is closed', async () => {
  const over = new AbortController()
  const stream = eventStream(endless(), { event, signal: over.signal, graceMs: 50 })
  stream.once('readable', () => over.abort())
  await once(stream, 'close')
  expect(stream.readableEnded).toBe(false)
})

test('an event that does not match its declaration closes the stream', async () => {
  const events = async function* () {
    yield { n: 'one' }
  }
  const stream = eventStream(events(), { event, signal })
  await expect(text(stream)).rejects.toThrow('expected number')
})
