import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { CompiledRecordDetail, compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerCompleteness } from '../../../contract/completeness/calls.ts'

const COLUMNS = ['SKU', 'Name', 'GTIN', 'Price']
let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  master = await aSource(app.db, COLUMNS, [
    ['A', 'Pan', 1, 5],
    ['B', 'Pot', null, 6],
    ['C', null, null, 7],
    ['D', 'Lid', 4, ' '],
  ])
  config = await aMerge(app.db, [master])
})

async function compile(more: object = {}) {
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id, ...more })
  expect(reply.statusCode, reply.body).toBe(200)
}
const target = (name: string, completeness: object, more: object = {}) =>
  aSyncTask(app.db, {
    name,
    definition: {
      ...{ source_type: 'internal', source_ss_id: '', source_sheet_name: '' },
      source_compiler_config_id: config.id,
      completeness: JSON.stringify({ only_complete: false, ...completeness }),
      ...more,
    },
  })
async function measured(query = `?compiler_config_id=${config.id}`) {
  const reply = await ada.request('GET', `/api/compiler/completeness${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerCompleteness.completeness.reply.parse(reply.json())
}
const counts = async () =>
  (await measured()).map(({ name, records, complete, missing }) => [
    name,
    records,
    complete,
    missing.map(({ field, records }) => `${field} ${records}`).join(', '),
  ])
async function skus(query: string) {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}&${query}`)
  return compilerRecords.data.reply.parse(reply.json()).data.map(({ sku }) => sku)
}

test('records are complete by target: by named fields, or by the fields that the task copies', async () => {
  const shop = await target('Web shop', { fields: ['Name'] })
  const market = await target('Marketplace', { fields: null })
  await target(
    'Feed',
    { fields: null },
    {
      columns: JSON.stringify([
        { source: 'SKU', name: 'id' },
        { source: 'GTIN', name: 'gtin' },
      ]),
    },
  )
  await compile()
  expect(await counts()).toEqual([
    ['Feed', 4, 2, 'GTIN 2'],
    ['Marketplace', 4, 1, 'GTIN 2, Name 1, Price 1'],
    ['Web shop', 4, 3, 'Name 1'],
  ])
  expect(await skus(`incomplete_for=${market.id}`)).toEqual(['B', 'C', 'D'])
  expect(await skus(`incomplete_for=${market.id}&blank_field=GTIN`)).toEqual(['B', 'C'])
  expect(await skus(`incomplete_for=${shop.id}`)).toEqual(['C'])
  const reply = await ada.request('GET', `/api/compiler/data/C?compiler_config_id=${config.id}`)
  expect(CompiledRecordDetail.parse(reply.json()).targets).toEqual([
    { task_id: expect.any(Number), name: 'Feed', missing: ['GTIN'] },
    { task_id: market.id, name: 'Marketplace', missing: ['Name', 'GTIN'] },
    { task_id: shop.id, name: 'Web shop', missing: ['Name'] },
  ])
})

test('each compile keeps what it measured, also if nothing has changed; settings apply at once', async () => {
  const { id } = await target('Web shop', { fields: ['GTIN'] })
  await compile()
  await compile()
  await aCopy(app.db, master, COLUMNS, [
    ['A', 'Pan', 1, 5],
    ['B', 'Pot', 2, 6],
  ])
  await compile()
  const trend = async () => (await measured())[0]?.trend.map(({ records, complete }) => [records, complete])
  expect(await trend()).toEqual([
    [4, 2],
    [4, 2],
    [2, 2],
  ])
  await app.db
    .updateTable('sync_tasks')
    .set({ completeness: JSON.stringify({ fields: ['Weight'], only_complete: false }) })
    .where('task_id', '=', id)
    .execute()
  expect(await counts()).toEqual([['Web shop', 2, 0, 'Weight 2']])
})

test('removed records do not count, and a compile of new records measures all', async () => {
  await target('Web shop', { fields: ['GTIN'] })
  await compile()
  await ada.request('DELETE', `/api/compiler/data/B?compiler_config_id=${config.id}`)
  expect(await counts()).toEqual([['Web shop', 3, 2, 'GTIN 1']])
  await aCopy(app.db, master, COLUMNS, [['E', 'Pan', null, 5]])
  await compile({ overwrite: false })
  expect(await counts()).toEqual([['Web shop', 4, 2, 'GTIN 2']])
})

test('without records or targets there is nothing to measure', async () => {
  expect(await measured()).toEqual([])
  await target('Web shop', { fields: ['GTIN'] })
  expect(await counts()).toEqual([['Web shop', 0, 0, '']])
  expect((await measured('')).map(({ name }) => name)).toEqual(['Web shop'])
  expect(
    (await ada.request('GET', '/api/compiler/completeness?compiler_config_id=999999999')).statusCode,
  ).toBe(404)
})

test('the setting is checked with the others of the sync task, and changed', async () => {
  const { id } = await target('Web shop', { fields: null })
  const put = (body: object) => ada.request('PUT', `/api/sync_tasks/${id}`, body)
  const completeness = { fields: ['GTIN', 'Name'], only_complete: true }
  expect((await put({ completeness })).json()).toMatchObject({ completeness })
  const refused = async (body: object) => (await put(body)).json().message
  expect(await refused({ completeness: { ...completeness, fields: [] } })).toContain(
    'Name at least one field',
  )
  expect(await refused({ columns: [{ source: 'Name', name: 'Name' }] })).toContain(
    'SKU must be one of the copied columns',
  )
  expect(await refused({ split_by: 'Name' })).toContain('remove further sources and the split')
  const sheet = await aSyncTask(app.db, { name: 'Sheet' })
  const reply = await ada.request('PUT', `/api/sync_tasks/${sheet.id}`, { completeness })
  expect(reply.json().message).toContain('choose a configuration as the source')
})
