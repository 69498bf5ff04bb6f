import { expect, test } from 'vitest'
import { StreamPlaces } from './stream-places.ts'

test('a session has 20 streams at most; the next one is 429, until one of them ends', () => {
  const places = new StreamPlaces({ per_session: 20, in_all: 1000 })
  const session = { id_hash: Buffer.from('one') }
  const streams = Array.from({ length: 20 }, () => new AbortController())
  for (const { signal } of streams) places.take(session, signal)
  const another = () => places.take(session, new AbortController().signal)
  expect(another).toThrow(expect.objectContaining({ code: 'too_many_requests', retry_after_seconds: 15 }))
  // Another session has places of its own.
  places.take({ id_hash: Buffer.from('two') }, new AbortController().signal)
  streams[0]?.abort()
  another()
  expect(another).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
})

test('all sessions together have no more than the process holds', () => {
  const places = new StreamPlaces({ per_session: 2, in_all: 3 })
  const of = (name: string, signal = new AbortController().signal) =>
    places.take({ id_hash: Buffer.from(name) }, signal)
  const first = new AbortController()
  of('one', first.signal)
  of('one')
  of('two')
  expect(() => of('three')).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  first.abort()
  of('three')
})
