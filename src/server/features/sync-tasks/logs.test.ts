import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aSyncTask } from '../../../../test/fixtures/factories.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

async function withLines(count: number) {
  const task = await aSyncTask(app.db)
  const lines = Array.from({ length: count }, (_, n) => ({
    task_id: task.id,
    level: 'INFO' as const,
    message: `line ${n + 1}`,
  }))
  await app.db.insertInto('log_entries').values(lines).execute()
  return task
}

test('logs come newest first, with their time also written out in the time zone of the schedules', async () => {
  const task = await aSyncTask(app.db)
  const [one, two] = ['2026-01-31T04:00:01.5Z', '2026-07-31T04:00:00Z'].map((moment) => new Date(moment))
  await app.db
    .insertInto('log_entries')
    .values([
      { task_id: task.id, level: 'INFO', message: 'first', created_at: one },
      { task_id: task.id, level: 'ERROR', message: '<b>second</b>', created_at: two },
    ])
    .execute()

  const reply = await ada.request('GET', `/api/sync_tasks/${task.id}/logs`)

  expect(reply.json()).toEqual([
    {
      id: expect.any(Number),
      level: 'ERROR',
      message: '<b>second</b>',
      timestamp: '2026-07-31T04:00:00.000Z',
      formatted_timestamp: '2026-07-31 00:00:00 EST',
    },
    {
      id: expect.any(Number),
      level: 'INFO',
      message: 'first',
      timestamp: '2026-01-31T04:00:01.500Z',
      formatted_timestamp: '2026-01-30 23:00:01 EST',
    },
  ])
})

test('400 lines are given unless more or fewer are asked for', async () => {
  const task = await withLines(450)
  const lines = async (query: string) =>
    (await ada.request('GET', `/api/sync_tasks/${task.id}/logs${query}`)).json()
  expect(await lines('')).toHaveLength(400)
  expect(await lines('?limit=5000')).toHaveLength(450)
  expect((await lines('?limit=2')).map(({ message }: { message: string }) => message)).toEqual([
    'line 450',
    'line 449',
  ])
  for (const limit of ['0', '-1', '5001', 'x']) {
    expect((await ada.request('GET', `/api/sync_tasks/${task.id}/logs?limit=${limit}`)).statusCode).toBe(400)
  }
})

test('Clear Logs removes the log of this task only, and the audit log keeps that it was done', async () => {
  const task = await withLines(3)
  const other = await withLines(1)
  const reply = await ada.request('DELETE', `/api/sync_tasks/${task.id}/logs`)
  expect([reply.statusCode, reply.body]).toEqual([204, ''])
  expect((await ada.request('GET', `/api/sync_tasks/${task.id}/logs`)).json()).toEqual([])
  expect((await ada.request('GET', `/api/sync_tasks/${other.id}/logs`)).json()).toHaveLength(1)
  const audit = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_id', '=', String(task.id))
    .execute()
  expect(audit).toEqual([{ actor: 'ada@example.com', action: 'clear_logs', details: { lines: 3 } }])
  expect((await ada.request('DELETE', '/api/sync_tasks/99999/logs')).statusCode).toBe(404)
})

test('the audit log refuses every change', async () => {
  await expect(app.db.deleteFrom('audit_log').execute()).rejects.toThrow('insert only')
  await expect(app.db.updateTable('audit_log').set({ actor: 'somebody else' }).execute()).rejects.toThrow(
    'insert only',
  )
})
