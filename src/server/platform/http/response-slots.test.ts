import { afterEach, expect, test } from 'vitest'
import { ResponseSlots } from './response-slots.ts'

const open = new Set<AbortController>()
afterEach(() => {
  for (const one of open) one.abort()
  open.clear()
})

const isSessionValid = async () => true
const refusal = (count: number) => `${count} are open`
/** Opens a response for a session of a user. */
function take(slots: ResponseSlots, id: number, session = `of ${id}`, isValid = isSessionValid) {
  const response = new AbortController()
  const ended = slots.take(
    { id_hash: Buffer.from(session), user: { id } },
    { closed: response.signal, isSessionValid: isValid },
  )
  open.add(response)
  return { close: () => response.abort(), ended }
}
const tooMany = expect.objectContaining({ code: 'too_many_requests', retry_after_seconds: 15 })

test('a session has 20 streams at most; the next one is 429, until one of them ends', () => {
  const slots = new ResponseSlots({ per_session: 20, per_person: 60, in_all: 1000, refusal })
  const streams = Array.from({ length: 20 }, () => take(slots, 1))
  expect(() => take(slots, 1)).toThrow(tooMany)
  // Another session has its own limit.
  take(slots, 1, 'another one')
  streams[0]?.close()
  take(slots, 1)
  expect(() => take(slots, 1)).toThrow(tooMany)
})

test('a user has at most 40, across all sessions and tokens', () => {
  const slots = new ResponseSlots({ per_session: 20, per_person: 40, in_all: 300, refusal })
  const all = Array.from({ length: 40 }, (_, n) => take(slots, 1, `token ${n % 16}`))
  expect(() => take(slots, 1, 'token 17')).toThrow(expect.objectContaining({ message: '40 are open' }))
  take(slots, 2)
  all[7]?.close()
  take(slots, 1, 'token 17')
})

test('no user may take more than the free slots, so that others always get one', () => {
  const slots = new ResponseSlots({ per_session: 100, per_person: 100, in_all: 16, refusal })
  const taken = (id: number) => {
    for (let count = 0; ; count += 1) {
      try {
        take(slots, id)
      } catch {
        return count
      }
    }
  }
  expect([1, 2, 3, 4, 5, 6].map(taken)).toEqual([8, 4, 2, 1, 1, 0])
})

test("a response ends when its session's end is notified; those of others stay open", async () => {
  const slots = new ResponseSlots({ per_session: 20, per_person: 60, in_all: 100, refusal })
  let isValid = true
  const one = take(slots, 1, 'one', async () => isValid)
  const other = take(slots, 2)
  isValid = false
  slots.recheck(2)
  await isSessionValid()
  expect(one.ended.aborted).toBe(false)
  slots.recheck(1)
  await expect.poll(() => one.ended.aborted).toBe(true)
  expect(other.ended.aborted).toBe(false)
})

test('a response whose session ended between check and registration ends at once', async () => {
  const slots = new ResponseSlots({ per_session: 20, per_person: 60, in_all: 100, refusal })
  const { ended } = take(slots, 1, 'one', async () => false)
  await expect.poll(() => ended.aborted).toBe(true)
})

test('a session that ended without a notification is found by polling, and no response ends while polling fails', async () => {
  const slots = new ResponseSlots({ per_session: 20, per_person: 60, in_all: 100, refusal }, 1)
  let asked = 0
  const { ended } = take(slots, 1, 'one', async () => {
    asked += 1
    if (asked < 4) throw new Error('The database is away')
    return asked < 6
  })
  await expect.poll(() => ended.aborted).toBe(true)
  expect(asked).toBeGreaterThanOrEqual(6)
})
