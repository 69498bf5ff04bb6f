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

test('a silent stream beats, and ends once the session is over', async () => {
  let asked = 0
  const alive = async () => ++asked < 3
  const stream = eventStream(never(), { event, signal, alive, heartbeatMs: 1, checkMs: 200 })
  expect(await text(stream)).toMatch(/^retry: 2000\n: open\n\n(: beat\n\n)+$/)
  expect(asked).toBe(3)
})

test('a stream that is never silent ends as well, and takes its events with it', async () => {
  const events = endless()
  const alive = async () => false
  expect(await text(eventStream(events, { event, signal, alive, checkMs: 200 }))).toContain('data: {"n":1}')
  expect(await events.next()).toMatchObject({ done: true })
})

test('a stream that its reader does not empty is broken off', async () => {
  const stream = eventStream(endless(), { event, signal, alive: async () => false, checkMs: 200 })
  await once(stream, 'close')
  expect(stream.readableEnded).toBe(false)
})

test('a stream stays while nobody can tell whether its session stands', async () => {
  let asked = 0
  const alive = async () => {
    asked += 1
    if (asked < 3) throw new Error('The database is away')
    return false
  }
  await text(eventStream(never(), { event, signal, alive, checkMs: 200 }))
  expect(asked).toBe(3)
})

test('an event that does not fit its declaration breaks the stream', async () => {
  const events = async function* () {
    yield { n: 'one' }
  }
  const stream = eventStream(events(), { event, signal, alive: async () => true })
  await expect(text(stream)).rejects.toThrow('expected number')
})
