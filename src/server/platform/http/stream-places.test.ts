import { afterEach, expect, test } from 'vitest'
import { StreamPlaces } from './stream-places.ts'

const open = new Set<AbortController>()
afterEach(() => {
  for (const one of open) one.abort()
  open.clear()
})

const isSessionValid = async () => true
const refusal = (count: number) => `${count} are open`
/** Opens a reply for a session of a user. */
function take(places: StreamPlaces, id: number, session = `of ${id}`, standing = isSessionValid) {
  const reply = new AbortController()
  const ended = places.take(
    { id_hash: Buffer.from(session), user: { id } },
    { closed: reply.signal, isSessionValid: standing },
  )
  open.add(reply)
  return { close: () => reply.abort(), ended }
}
const tooMany = expect.objectContaining({ code: 'too_many_requests', retry_after_seconds: 15 })

test('a session has 20 streams at most; the next one is 429, until one of them ends', () => {
  const places = new StreamPlaces({ per_session: 20, per_person: 60, in_all: 1000, refusal })
  const streams = Array.from({ length: 20 }, () => take(places, 1))
  expect(() => take(places, 1)).toThrow(tooMany)
  // Another session has its own limit.
  take(places, 1, 'another one')
  streams[0]?.close()
  take(places, 1)
  expect(() => take(places, 1)).toThrow(tooMany)
})

test('a person has no more than 40, whatever number of sessions and tokens they are spread over', () => {
  const places = new StreamPlaces({ per_session: 20, per_person: 40, in_all: 300, refusal })
  const all = Array.from({ length: 40 }, (_, n) => take(places, 1, `token ${n % 16}`))
  expect(() => take(places, 1, 'token 17')).toThrow(expect.objectContaining({ message: '40 are open' }))
  take(places, 2)
  all[7]?.close()
  take(places, 1, 'token 17')
})

test('nobody has more than there are places left, so that others find one however many are taken', () => {
  const places = new StreamPlaces({ per_session: 100, per_person: 100, in_all: 16, refusal })
  const taken = (id: number) => {
    for (let count = 0; ; count += 1) {
      try {
        take(places, id)
      } catch {
        return count
      }
    }
  }
  expect([1, 2, 3, 4, 5, 6].map(taken)).toEqual([8, 4, 2, 1, 1, 0])
})

test('a reply ends once its session does, when that is told; those of others stay', async () => {
  const places = new StreamPlaces({ per_session: 20, per_person: 60, in_all: 100, refusal })
  let standing = true
  const one = take(places, 1, 'one', async () => standing)
  const other = take(places, 2)
  standing = false
  places.recheck(2)
  await isSessionValid()
  expect(one.ended.aborted).toBe(false)
  places.recheck(1)
  await expect.poll(() => one.ended.aborted).toBe(true)
  expect(other.ended.aborted).toBe(false)
})

test('one that ended between being let in and taking its place ends at once', async () => {
  const places = new StreamPlaces({ per_session: 20, per_person: 60, in_all: 100, refusal })
  const { ended } = take(places, 1, 'one', async () => false)
  await expect.poll(() => ended.aborted).toBe(true)
})

test('what nobody tells of is found by asking, and nothing ends while that cannot be answered', async () => {
  const places = new StreamPlaces({ per_session: 20, per_person: 60, in_all: 100, refusal }, 1)
  let asked = 0
  const { ended } = take(places, 1, 'one', async () => {
    asked += 1
    if (asked < 4) throw new Error('The database is away')
    return asked < 6
  })
  await expect.poll(() => ended.aborted).toBe(true)
  expect(asked).toBeGreaterThanOrEqual(6)
})
