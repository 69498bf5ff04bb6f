import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy, aRun } from '../../../../test/fixtures/factories.ts'
import { addressOf } from '../../../contract/address.ts'
import { compilerRecords, recordOf } from '../../../contract/compiler/records.ts'
import { prune } from '../../engine/prune.ts'
import { readSnapshot, snapshotRows } from '../../snapshots/snapshot.ts'

const Lines = z.array(z.array(z.string()))

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let source: number

const skus = ['A-1', 'A-2', 'A/3 ä', 'A-4', 'A-5', 'A-6', 'A-7', 'A-8', 'A-9', 'B-10', 'B-11']

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await startEngine(app.database, [compileHandler(app.database)])
  source = await aSource(
    app.db,
    ['SKU', 'Price'],
    [...skus.map((sku, n) => [sku, n % 2 === 0 ? n : null]), [null, 1]],
  )
  config = await aMerge(app.db, [source])
  await compile()
})

const compile = async (fields: object = {}) => {
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id, ...fields })
  expect(reply.statusCode).toBe(200)
  return reply.json()
}
const remove = (sku: string, id = config.id) =>
  ada.request('DELETE', `/api/compiler/data/${encodeURIComponent(sku)}?compiler_config_id=${id}`)
const clear = (id = config.id) => ada.request('DELETE', '/api/compiler/data', { compiler_config_id: id })

async function page(query = '') {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}${query}`)
  const { data, total_count } = compilerRecords.data.reply.parse(reply.json())
  return { skus: data.map(({ sku }) => sku), total_count }
}
const stats = async () =>
  (await ada.request('GET', `/api/compiler/stats?compiler_config_id=${config.id}`)).json()

/** All rows of the current version, read in batches as a copy does. */
async function copied(): Promise<unknown[]> {
  const { snapshot_id } = await app.db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', config.task_id)
    .executeTakeFirstOrThrow()
  const stored = await readSnapshot(app.db, snapshot_id ?? 0)
  const rows = []
  for (let first = 1; first <= (stored?.row_count ?? 0); first += 3)
    for await (const part of snapshotRows(
      app.db,
      stored?.id ?? 0,
      first,
      Math.min(first + 3, (stored?.row_count ?? 0) + 1),
    ))
      rows.push(...part.map(([sku]) => sku))
  return rows
}

test('a removed record is in no page, count, filter, search, file or copy, and the others keep their order', async () => {
  for (const sku of ['A/3 ä', 'A-1', 'B-11', 'A-4']) expect((await remove(sku)).statusCode).toBe(204)
  const left = ['A-2', 'A-5', 'A-6', 'A-7', 'A-8', 'A-9', 'B-10']
  expect(await page()).toEqual({ skus: left, total_count: 7 })
  expect(await page('&limit=2&offset=5')).toEqual({ skus: ['A-9', 'B-10'], total_count: 7 })
  expect(await page('&has_blanks=true')).toMatchObject({ skus: ['A-2', 'A-6', 'A-8', 'B-10'] })
  expect(await page('&has_blanks=false')).toMatchObject({ skus: ['A-5', 'A-7', 'A-9'] })
  expect(await page('&sku_search=b-1')).toEqual({ skus: ['B-10'], total_count: 1 })
  expect(await stats()).toMatchObject({ total_records: 7, clean_records: 3, records_with_blanks: 4 })
  const file = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}`)
  const [, ...lines] = Lines.parse(parse(file.body, { bom: true }))
  expect(lines.map(([sku]) => sku)).toEqual(left)
  expect(await copied()).toEqual(left)
})

test('readers of the previous version continue in it; its rows are deleted when no version uses them', async () => {
  const version = async () =>
    (
      await app.db
        .selectFrom('tasks')
        .select('snapshot_id')
        .where('id', '=', config.task_id)
        .executeTakeFirstOrThrow()
    ).snapshot_id ?? 0
  const first = await version()
  const reading = snapshotRows(app.db, first, 1, skus.length + 1)
  await remove('A-2')
  expect((await reading.next()).value).toHaveLength(skus.length)
  await remove('A-5')
  const long_ago = sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'`
  await long_ago.execute(app.db)
  await prune(app.db, 90)
  const { rows } = await sql<{
    id: number
  }>`select id from snapshots where id in (${first}, ${await version()})`.execute(app.db)
  expect(rows.map(({ id }) => id)).toEqual([await version()])
  expect(await copied()).toHaveLength(9)
  await clear()
  await long_ago.execute(app.db)
  await prune(app.db, 90)
  expect(
    await app.db.selectFrom('compiled_blocks').select('first_row').where('snapshot_id', '=', first).execute(),
  ).toEqual([])
})

test('an unknown SKU and an unknown configuration are 404', async () => {
  expect((await remove('A-2')).statusCode).toBe(204)
  for (const [sku, id] of [
    ['A-2', config.id],
    ['a-1', config.id],
    ['A-1', 999_999],
  ] as const)
    expect((await remove(sku, id)).statusCode).toBe(404)
  expect((await clear(999_999)).statusCode).toBe(404)
})

test('two users remove records at once: both are removed; the same record is removed once', async () => {
  const replies = await Promise.all([remove('A-1'), remove('A-9'), remove('A-1')])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([204, 204, 404])
  expect((await page()).total_count).toBe(9)
})

test('all records are removed in one call, which returns their number', async () => {
  await remove('A-1')
  const reply = await clear()
  expect([reply.statusCode, reply.json()]).toEqual([200, { deleted_count: 10 }])
  expect(await page()).toEqual({ skus: [], total_count: 0 })
  expect(await stats()).toMatchObject({ total_records: 0, compiled_at: null })
  expect((await clear()).json()).toEqual({ deleted_count: 0 })
  expect((await remove('A-2')).statusCode).toBe(404)
})

test('no record is removed during a compile', async () => {
  const { id } = await aRun(app.db, config.task_id, { category: 'compiler', state: 'running' })
  for (const reply of [await remove('A-1'), await clear()])
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'live_records'])
  await app.db.updateTable('runs').set({ state: 'stopped' }).where('id', '=', id).execute()
  expect((await remove('A-1')).statusCode).toBe(204)
})

test('a compile restores a removed record as an added one; without overwriting it comes after the kept ones', async () => {
  await remove('A-1')
  await remove('A-4')
  await compile({ overwrite: false })
  const back = [...skus.filter((sku) => sku !== 'A-1' && sku !== 'A-4'), 'A-1', 'A-4']
  expect(await page()).toEqual({ skus: back, total_count: 11 })
  expect(await copied()).toEqual(back)
  expect(await stats()).toMatchObject({ total_records: 11, records_with_blanks: 5, clean_records: 6 })
  expect((await runOf(app.db, config.task_id)).receipt).toMatchObject({ records: 11, added: 2, blanks: 5 })
  await remove('A-1')
  await compile()
  expect(await page()).toMatchObject({ skus, total_count: 11 })
  expect((await runOf(app.db, config.task_id)).receipt).toMatchObject({ records: 11, added: 1, gone: 0 })
})

test('if no source or setting changed, the records are shared with the previous version and outlive it', async () => {
  const versions = () =>
    app.db
      .selectFrom('snapshots')
      .select(['id', 'rows_of'])
      .where('kind', '=', 'compiled')
      .where('task_id', '=', config.task_id)
      .orderBy('id')
      .execute()
  const [first] = await versions()
  expect(await page('&change=added')).toMatchObject({ total_count: 11 })
  await compile()
  await compile()
  expect((await versions()).map(({ rows_of }) => rows_of)).toEqual([null, first?.id, first?.id])
  expect(await page()).toEqual({ skus, total_count: 11 })
  expect(await page('&change=added')).toMatchObject({ total_count: 0 })
  expect((await runOf(app.db, config.task_id)).receipt).toMatchObject({
    ...{ records: 11, rows_read: 12, added: 0, changed: 0, gone: 0, blanks: 5, clean: 6 },
  })
  // A row without a SKU causes a warning in each run.
  expect((await runOf(app.db, config.task_id)).state).toBe('warning')
  await sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'`.execute(
    app.db,
  )
  await prune(app.db, 90)
  expect((await versions()).map(({ id }) => id)).not.toContain(first?.id)
  expect(await copied()).toEqual(skus)
  await aCopy(
    app.db,
    source,
    ['SKU', 'Price'],
    skus.map((sku, n) => [sku, n % 2 === 0 ? n % 3 : null]),
  )
  await compile()
  expect(await page('&change=changed')).toMatchObject({ total_count: 4 })
  expect((await versions()).at(-1)?.rows_of).toBe(null)
})

test('each removal is in the audit log with its user', async () => {
  await remove('A-1')
  await clear()
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['actor', 'action', 'details'])
    .where('object_type', '=', 'compiler_task')
    .where('object_id', '=', `${config.task_id}`)
    .where('action', 'in', ['delete_record', 'clear_records'])
    .orderBy('id')
    .execute()
  expect(lines).toEqual([
    { actor: 'ada@example.com', action: 'delete_record', details: { sku: 'A-1' } },
    { actor: 'ada@example.com', action: 'clear_records', details: { deleted_count: 10 } },
  ])
})

test.each([
  '.',
  '..',
  '...',
  'a/b',
  '50%',
  '%2e%2e',
  '#1',
  '?x',
  '\\',
  'ä ß',
  "it's",
  '/api/compiler/data',
  '-',
])('the record of the SKU %j is read and removed by the address that pages make', async (sku) => {
  const rows = [sku, 'other'].map((one) => [one, one])
  const { id } = await aMerge(app.db, [await aSource(app.db, ['SKU', 'Name'], rows)])
  await compile({ config_id: id })
  const { params, query } = recordOf(id, sku)
  const address = addressOf(compilerRecords.record.path, params, query)
  // What a browser makes of it.
  expect(new URL(address, 'http://rowferry.test').pathname).toBe(address.split('?')[0])
  const read = await ada.request('GET', address)
  expect(read.json()).toMatchObject({ record: { sku, Name: sku } })
  expect((await ada.request('DELETE', address)).statusCode).toBe(204)
  expect((await ada.request('GET', address)).statusCode).toBe(404)
  const left = await ada.request('GET', `/api/compiler/data?compiler_config_id=${id}`)
  expect(compilerRecords.data.reply.parse(left.json()).data.map((record) => record.sku)).toEqual(['other'])
})
