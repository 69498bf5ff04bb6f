import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { DataPage, type NumberFormat } from '../../../contract/tables.ts'

const DATE: NumberFormat = { type: 'DATE', pattern: 'yyyy-mm-dd' }
const PERCENT: NumberFormat = { type: 'PERCENT', pattern: '0%' }

let app: TestApp
let ada: SignedIn
let source: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  source = await aSource(
    app.db,
    ['SKU', 'Value'],
    [
      ['A', 45_904],
      ['B', 5],
      ['C', 45_905],
      ['D', 0.12],
    ],
  )
  const runs = [DATE, null, DATE, PERCENT].map((format, n) => ({ row: n + 1, format }))
  await sql`update snapshots set formats = ${JSON.stringify([null, DATE])}, format_runs = ${JSON.stringify({ 1: runs })}
    from tasks t where t.id = ${source} and snapshots.id = t.snapshot_id`.execute(app.db)
})

test('a page of stored rows has the format of each cell of a mixed column, in whatever order', async () => {
  const pageOf = async (query: string) =>
    DataPage.parse((await ada.request('GET', `/api/source_tasks/${source}/data_copy${query}`)).json())
  expect((await pageOf('?offset=1&limit=2')).cell_formats).toEqual({ Value: [null, DATE] })
  const sorted = await pageOf('?sort=Value')
  expect(sorted.data.map(({ SKU }) => SKU)).toEqual(['D', 'B', 'A', 'C'])
  expect(sorted.cell_formats).toEqual({ Value: [PERCENT, null, DATE, DATE] })
  expect((await pageOf('?columns=SKU')).cell_formats).toEqual({})
})

test('a file of stored rows has dates where the cells show dates, and numbers elsewhere', async () => {
  const { body } = await ada.request('GET', `/api/source_tasks/${source}/export_csv`)
  expect(body.trim().split('\r\n').slice(1)).toEqual(['A,2025-09-04', 'B,5', 'C,2025-09-05', 'D,0.12'])
})

test('compiled numbers have the formats of the rows that they come from, on pages, in files and in a preview', async () => {
  // Its first row is another one.
  const master = await aSource(
    app.db,
    ['SKU', 'Name'],
    [
      ['C', 'Cup'],
      ['B', 'Bowl'],
    ],
  )
  const config = await aMerge(app.db, [master, source])
  const run = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(run.statusCode).toBe(200)
  const of = `compiler_config_id=${config.id}`
  const { data } = compilerRecords.data.reply.parse(
    (await ada.request('GET', `/api/compiler/data?${of}`)).json(),
  )
  const shown = { A: { Value: DATE }, B: {}, C: { Value: DATE }, D: { Value: PERCENT } }
  expect(Object.fromEntries(data.map(({ sku, number_formats }) => [sku, number_formats]))).toEqual(shown)
  const record = compilerRecords.record.reply.parse(
    (await ada.request('GET', `/api/compiler/data/B?${of}`)).json(),
  )
  expect(record.fields.find(({ name }) => name === 'Value')).toMatchObject({ value: 5, number_format: null })
  const { body } = await ada.request('GET', `/api/compiler/export?${of}`)
  expect(
    body
      .split('\r\n')
      .slice(1, 3)
      .map((line) => line.split(',').slice(0, 3)),
  ).toEqual([
    ['C', 'Cup', '2025-09-05'],
    ['B', 'Bowl', '5'],
  ])
  const preview = await ada.request('POST', '/api/compiler/preview', {
    source_task_ids: [master, source],
    master_source_id: master,
  })
  const records: { sku: string; number_formats: object }[] = preview.json().records
  expect(Object.fromEntries(records.map(({ sku, number_formats }) => [sku, number_formats]))).toEqual(shown)
})
