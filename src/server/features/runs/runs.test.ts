import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { limits } from '../../../contract/limits.ts'
import { RunPage } from '../../../contract/runs/calls.ts'
import type { CopyReceipt } from '../../../contract/runs/receipts.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

const receipt: CopyReceipt = {
  rows: 19_999,
  columns: 20,
  cells_changed: 7,
  reads: 6,
  writes: 3,
  mode: 'small',
  source_hash: 'a1',
  target_hash: 'a1',
  duration_ms: 4_200,
  account: 'ada@example.com',
}

async function page(path: string) {
  const reply = await ada.request('GET', path)
  expect(reply.statusCode).toBe(200)
  return RunPage.parse(reply.json())
}

/** Ids of all pages by cursor; `between` runs after each page. */
async function follow(path: string, between = async () => {}): Promise<number[]> {
  const ids: number[] = []
  let cursor: number | null = null
  do {
    const { runs, next } = await page(cursor === null ? path : `${path}&cursor=${cursor}`)
    ids.push(...runs.map(({ id }) => id))
    cursor = next
    await between()
  } while (cursor !== null)
  return ids
}

test('a run shows its trigger, result, durations and receipt', async () => {
  const task = await aSyncTask(app.db)
  const well = await aRun(app.db, task.id, {
    state: 'warning',
    trigger: 'schedule',
    trigger_label: 'its own schedule at 04:00 EST',
    attempts: 2,
    redeliveries: 1,
    queued_at: new Date('2026-11-20T09:00:00Z'),
    started_at: new Date('2026-11-20T09:00:01Z'),
    finished_at: new Date('2026-11-20T09:01:02.5Z'),
    rows_done: 19_999,
    error: 'Google is busy.',
    warnings: JSON.stringify([{ id: 'a', message: '1 cell with #N/A' }]),
    message: 'The target holds the rows.',
    receipt: JSON.stringify(receipt),
  })
  const failed = await aRun(app.db, task.id, { state: 'failed', rows_done: 500, error: 'No permission.' })
  const waiting = await aRun(app.db, task.id)

  const { runs, next } = await page(`/api/sync_tasks/${task.id}/runs`)

  expect(next).toBeNull()
  expect(runs.map(({ id }) => id)).toEqual([waiting.id, failed.id, well.id])
  expect(runs[2]).toEqual({
    id: well.id,
    task_id: task.id,
    task_name: 'Task',
    category: 'sync',
    state: 'warning',
    is_preview: false,
    trigger: 'schedule',
    triggered_by: 'its own schedule at 04:00 EST',
    attempts: 2,
    redeliveries: 1,
    queued_at: '2026-11-20T09:00:00.000Z',
    started_at: '2026-11-20T09:00:01.000Z',
    finished_at: '2026-11-20T09:01:02.500Z',
    duration_seconds: 61.5,
    rows: 19_999,
    requests: 9,
    warnings: ['1 cell with #N/A'],
    message: 'The target holds the rows.',
    error: 'Google is busy.',
    receipt,
  })
  expect(runs[1]).toMatchObject({ state: 'failed', rows: 500, requests: null, error: 'No permission.' })
  expect(runs[0]).toMatchObject({ state: 'queued', started_at: null, duration_seconds: null, receipt: null })
})

test('pages cover the whole history, each run once, also while runs are added', async () => {
  const task = await aSyncTask(app.db)
  const made: number[] = []
  for (let n = 0; n < 7; n += 1) made.push((await aRun(app.db, task.id, { state: 'success' })).id)
  const path = `/api/sync_tasks/${task.id}/runs?limit=3`
  const seen = await follow(path, async () => {
    await aRun(app.db, task.id, { state: 'success' })
  })
  expect(seen).toEqual(made.toReversed())
})

test(`a page has ${limits.runs_page_size} runs unless more or fewer are asked for`, async () => {
  const task = await aSyncTask(app.db)
  for (let n = 0; n <= limits.runs_page_size; n += 1) await aRun(app.db, task.id, { state: 'stopped' })
  const path = `/api/sync_tasks/${task.id}/runs`
  expect((await page(path)).runs).toHaveLength(limits.runs_page_size)
  expect(await page(`${path}?limit=500`)).toMatchObject({ next: null })
  for (const query of [
    'limit=0',
    'limit=501',
    'limit=x',
    'cursor=0',
    'cursor=-1',
    'cursor=9999999999',
    'page=2',
  ])
    expect((await ada.request('GET', `${path}?${query}`)).statusCode, query).toBe(400)
})

test('the runs of all tasks are one history, and those of deleted tasks stay in it', async () => {
  const [one, other] = [await aSyncTask(app.db), await aSyncTask(app.db)]
  const first = await aRun(app.db, one.id, { state: 'success' })
  const second = await aRun(app.db, other.id, { state: 'success' })
  await app.db.deleteFrom('tasks').where('id', '=', one.id).execute()

  const { runs } = await page('/api/runs?limit=2')

  expect(runs.map(({ id, task_id }) => ({ id, task_id }))).toEqual([
    { id: second.id, task_id: other.id },
    { id: first.id, task_id: null },
  ])
  expect((await ada.request('GET', `/api/sync_tasks/${one.id}/runs`)).statusCode).toBe(404)
})

test('a receipt is parsed by the category of its run; an unknown receipt is not shown', async () => {
  const { id } = await app.db
    .insertInto('tasks')
    .values({ category: 'source', name: 'Prices', sort_order: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const fields = { state: 'success', rows_done: 7 } as const
  const pulled = await aRun(app.db, id, { ...fields, category: 'source', receipt: '{"batches":3}' })
  const copied = await aRun(app.db, (await aSyncTask(app.db)).id, {
    ...fields,
    receipt: JSON.stringify(receipt),
  })

  const { runs } = await page('/api/runs?limit=2')

  expect(
    runs.map(({ id, category, rows, requests, receipt }) => ({ id, category, rows, requests, receipt })),
  ).toEqual([
    { id: copied.id, category: 'sync', rows: 19_999, requests: 9, receipt },
    { id: pulled.id, category: 'source', rows: 7, requests: null, receipt: null },
  ])
})

test('ids of other categories are not found, and the history needs a session', async () => {
  const { id } = await app.db
    .insertInto('tasks')
    .values({ category: 'source', name: 'A source', sort_order: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await ada.request('GET', `/api/sync_tasks/${id}/runs`)).statusCode).toBe(404)
  expect((await app.app.inject({ url: '/api/runs' })).statusCode).toBe(401)
})
