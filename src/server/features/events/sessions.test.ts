import { type Kysely, sql } from 'kysely'
import { afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { streamsOf } from '../../../../test/fixtures/event-streams.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import type { Database } from '../../platform/schema.ts'

let app: TestApp
let root: string
const followers: ReturnType<typeof streamsOf>[] = []

beforeAll(async () => {
  app = await testApp()
  root = await app.app.listen({ host: '127.0.0.1', port: 0 })
})

afterEach(() => {
  for (const follower of followers.splice(0)) follower.hangUp()
})

function follow(person: SignedIn) {
  const follower = streamsOf(root, person)
  followers.push(follower)
  return follower
}

test('the stream needs a session', async () => {
  const reply = await fetch(`${root}/api/events`)
  expect(reply.status).toBe(401)
})

test('a stream ends soon after its session, however many events are pending', async () => {
  const dora = await app.signIn('dora@example.com')
  const reply = await follow(dora).connect().reply
  const task = await aSyncTask(app.db)
  const run = await aRun(app.db, task.id, { state: 'running', started_at: new Date() })
  let beats = 0
  const busy = setInterval(() => {
    beats += 1
    const done = sql<number>`rows_done + 1`
    app.db
      .updateTable('runs')
      .set({ rows_done: done })
      .where('id', '=', run.id)
      .execute()
      .catch(() => {})
  }, 200)
  onTestFinished(() => clearInterval(busy))
  await dora.request('GET', '/auth/logout')
  for await (const bytes of reply.body ?? []) {
    expect(bytes.length).toBeGreaterThan(0)
    expect(beats, 'beats of 200 ms for which the stream has outlived its session').toBeLessThan(600)
  }
})

test('a session has 20 streams at most: the next one is 429 with Retry-After, until one of them ends', async () => {
  const fred = follow(await app.signIn('fred@example.com'))
  // Keeps references, because fetch closes unread responses that are garbage collected.
  const replies: Response[] = []
  const another = async () => {
    const { reply: asked, controller } = fred.connect()
    const reply = await asked
    replies.push(reply)
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), controller }
  }
  const all = await Promise.all(Array.from({ length: 20 }, another))
  expect(all.filter(({ status }) => status === 200).length).toBe(20)
  expect(await another()).toMatchObject({ status: 429, retryAfter: '15' })
  all[0]?.controller.abort()
  await expect.poll(async () => (await another()).status).toBe(200)
  expect(await another()).toMatchObject({ status: 429 })
  expect(replies.filter(({ ok }) => ok).length).toBe(21)
})

test('opening a stream does not prolong an idle session, unlike other calls', async () => {
  const emil = await app.signIn('emil@example.com')
  const old = {
    last_seen_at: sql<Date>`now() - interval '11 hours'`,
    expires_at: sql<Date>`now() + interval '1 hour'`,
  }
  const emils = (users: Kysely<Database>) =>
    users.selectFrom('users').select('id').where('email', '=', 'emil@example.com')
  const hoursLeft = async () => {
    const left = sql<number>`extract(epoch from expires_at - now()) / 3600`.as('hours')
    const row = await app.db
      .selectFrom('sessions')
      .select(left)
      .where('user_id', 'in', emils(app.db))
      .executeTakeFirstOrThrow()
    return Number(row.hours)
  }
  await app.db.updateTable('sessions').set(old).where('user_id', 'in', emils(app.db)).execute()
  expect((await follow(emil).connect().reply).status).toBe(200)
  expect(await hoursLeft()).toBeLessThan(1.01)
  await emil.request('GET', '/api/users')
  expect(await hoursLeft()).toBeGreaterThan(11)
})

test('streams end when the server closes, and closing does not wait for them', async () => {
  const events = follow(await app.signIn()).stream()
  await events.next()
  await app.app.close()
  for await (const event of events) expect(event.type).not.toBe('nothing')
})
