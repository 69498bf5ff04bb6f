import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { sendBulk } from '../../../../test/fixtures/bulk.ts'
import { aTaskOfTab } from '../../../../test/fixtures/factories.ts'
import { pruneBulkCalls } from './commands/bulk-call.ts'

let app: TestApp
let ada: SignedIn

beforeEach(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const runsOf = async (task_id: number) =>
  (await app.db.selectFrom('runs').select('id').where('task_id', '=', task_id).execute()).length

test('a repeated request with the same key returns the first reply and starts no run', async () => {
  const task = await aTaskOfTab(app.db)
  const body = { action: 'run', ids: [task.id, 99_999] } as const
  const first = await sendBulk(app, ada, body, 'monday')
  expect(first.json().counts).toEqual({ done: 1, skipped: 0, refused: 0, unknown: 1 })
  await app.db.updateTable('runs').set({ state: 'success', finished_at: new Date() }).execute()
  const second = await sendBulk(app, ada, body, 'monday')
  expect([second.statusCode, second.json()]).toEqual([200, first.json()])
  expect(await runsOf(task.id)).toBe(1)
})

test('two concurrent requests with the same key are executed once', async () => {
  const tasks = await Promise.all(Array.from({ length: 20 }, () => aTaskOfTab(app.db)))
  const body = { action: 'deactivate', ids: tasks.map(({ id }) => id) } as const
  const replies = await Promise.all(Array.from({ length: 4 }, () => sendBulk(app, ada, body, 'twice')))
  for (const reply of replies) expect(reply.json()).toEqual(replies[0]?.json())
  expect(replies[0]?.json().counts.done).toBe(20)
  const calls = await app.db.selectFrom('bulk_calls').select('id').execute()
  expect(calls).toHaveLength(1)
})

test('the same key with another body is refused; another user may use it', async () => {
  const task = await aTaskOfTab(app.db)
  const bob = await app.signIn('bob@example.com')
  await sendBulk(app, ada, { action: 'deactivate', ids: [task.id] }, 'key')
  const other = await sendBulk(app, ada, { action: 'activate', ids: [task.id] }, 'key')
  expect([other.statusCode, other.json().code, other.json().field]).toEqual([
    409,
    'idempotency_key_reused',
    'Idempotency-Key',
  ])
  expect((await sendBulk(app, bob, { action: 'activate', ids: [task.id] }, 'key')).json().counts.done).toBe(1)
})

test('a request that failed can be repeated with its key', async () => {
  const task = await aTaskOfTab(app.db)
  const body = { action: 'change_type', ids: [task.id], task_type_id: 99_999 } as const
  expect((await sendBulk(app, ada, body, 'again')).statusCode).toBe(422)
  expect((await sendBulk(app, ada, { action: 'run', ids: [task.id] }, 'again')).json().counts.done).toBe(1)
})

test.each(['', 'two words', 'a'.repeat(201)])('the key "%s" is refused', async (key) => {
  const reply = await sendBulk(app, ada, { action: 'run', ids: [1] }, key)
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'Idempotency-Key'])
})

test('a key is kept for a day', async () => {
  const task = await aTaskOfTab(app.db)
  await sendBulk(app, ada, { action: 'run', ids: [task.id] }, 'old')
  await pruneBulkCalls(app.db)
  expect(await app.db.selectFrom('bulk_calls').select('id').execute()).toHaveLength(1)
  await sql`update bulk_calls set created_at = now() - interval '25 hours'`.execute(app.db)
  await pruneBulkCalls(app.db)
  expect(await app.db.selectFrom('bulk_calls').select('id').execute()).toEqual([])
})
