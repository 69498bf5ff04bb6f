import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'

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

test('logs are listed newest first, with their time also formatted in the time zone of the schedules', async () => {
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
      run_id: null,
    },
    {
      id: expect.any(Number),
      level: 'INFO',
      message: 'first',
      timestamp: '2026-01-31T04:00:01.500Z',
      formatted_timestamp: '2026-01-30 23:00:01 EST',
      run_id: null,
    },
  ])
})

test('400 lines are returned by default', async () => {
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

test('lines are selected by level, text, run and page, newest first, with the run that wrote each', async () => {
  const task = await aSyncTask(app.db)
  const run = await aRun(app.db, task.id, { state: 'failed' })
  const line = (level: 'INFO' | 'WARNING' | 'ERROR', message: string, run_id: number | null = null) => ({
    task_id: task.id,
    run_id,
    level,
    message,
  })
  await app.db
    .insertInto('log_entries')
    .values([
      line('INFO', 'Read 100% of A_1'),
      line('WARNING', 'Waits for the QUOTA', run.id),
      line('ERROR', 'Quota exceeded', run.id),
      line('INFO', 'Read 100 rows of AB1'),
    ])
    .execute()
  const path = `/api/sync_tasks/${task.id}/logs`
  const read = async (query: string): Promise<{ id: number; message: string; run_id: number | null }[]> =>
    (await ada.request('GET', `${path}?${query}`)).json()
  const messages = async (query: string) => (await read(query)).map(({ message }) => message)

  expect(await messages('level=ERROR')).toEqual(['Quota exceeded'])
  expect(await messages('level=WARNING,ERROR')).toEqual(['Quota exceeded', 'Waits for the QUOTA'])
  expect(await messages('search=quota')).toEqual(['Quota exceeded', 'Waits for the QUOTA'])
  // Signs of patterns are searched as they are.
  expect(await messages('search=100%25')).toEqual(['Read 100% of A_1'])
  expect(await messages('search=A_1')).toEqual(['Read 100% of A_1'])
  expect(await messages(`run_id=${run.id}&level=ERROR`)).toEqual(['Quota exceeded'])
  expect((await read('search=quota')).map(({ run_id }) => run_id)).toEqual([run.id, run.id])
  const [newest] = await read('limit=1')
  expect(await messages(`limit=2&before=${newest?.id}`)).toEqual(['Quota exceeded', 'Waits for the QUOTA'])

  for (const [query, part] of [
    ['level=LOUD', 'level must be one or more of INFO, SUCCESS, WARNING, ERROR'],
    ['before=x', 'before must be the id of a line'],
    [`search=${'x'.repeat(201)}`, 'search'],
  ]) {
    const refused = await ada.request('GET', `${path}?${query}`)
    expect(refused.statusCode).toBe(400)
    expect(refused.body).toContain(part)
  }

  const counts = async (query: string) =>
    (await ada.request('GET', `/api/runs/log_counts?task_id=${task.id}${query}`)).json()
  expect(await counts('')).toEqual({ INFO: 2, SUCCESS: 0, WARNING: 1, ERROR: 1 })
  expect(await counts('&search=READ')).toEqual({ INFO: 2, SUCCESS: 0, WARNING: 0, ERROR: 0 })
  expect(await counts(`&run_id=${run.id}`)).toEqual({ INFO: 0, SUCCESS: 0, WARNING: 1, ERROR: 1 })

  const some = await ada.request('GET', `/api/runs/some?ids=${run.id},2147483000`)
  expect(some.json()).toMatchObject([{ id: run.id, state: 'failed' }])
  expect((await ada.request('GET', '/api/runs/some?ids=1,x')).body).toContain('ids must be ids of runs')
})

test('a log of 100,000 lines is searched and filtered as a whole', async () => {
  const task = await aSyncTask(app.db)
  await sql`insert into log_entries (task_id, level, message)
    select ${task.id}, case when n = 7 then 'ERROR' else 'INFO' end, 'Row batch ' || n from generate_series(1, 100000) n`.execute(
    app.db,
  )
  const read = async (query: string) =>
    (await ada.request('GET', `/api/sync_tasks/${task.id}/logs?${query}`)).json()
  expect(await read('level=ERROR')).toMatchObject([{ message: 'Row batch 7' }])
  expect(await read('search=batch%2012345')).toMatchObject([{ message: 'Row batch 12345' }])
  const counts = await ada.request('GET', `/api/runs/log_counts?task_id=${task.id}`)
  expect(counts.json()).toEqual({ INFO: 99_999, SUCCESS: 0, WARNING: 0, ERROR: 1 })
})

test('Clear Logs deletes the log of this task only and is audited', async () => {
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
  await expect(app.db.updateTable('audit_log').set({ actor: 'another user' }).execute()).rejects.toThrow(
    'insert only',
  )
})
