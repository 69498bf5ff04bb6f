import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { CompilerPreview } from '../../../contract/compiler/preview.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import type { CellValue, NumberFormat } from '../../../contract/tables.ts'
import { prune } from '../../engine/prune.ts'

const ISO: NumberFormat = { type: 'DATE', pattern: 'yyyy-mm-dd' }
const US: NumberFormat = { type: 'DATE', pattern: 'm/d/yyyy' }
const EURO: NumberFormat = { type: 'CURRENCY', pattern: '[$€]#,##0.00' }

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number
let supplier: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  master = await aSource(
    app.db,
    ['Price', 'SKU', 'Since'],
    [
      [9.5, 'A', 45_904],
      [null, 'B', null],
      ['on request', 'C', 'unknown'],
    ],
    'Master',
  )
  await format(master, [EURO, null, ISO])
  supplier = await aSource(
    app.db,
    ['SKU', 'Since', 'Price'],
    [
      ['A', 45_900, 8],
      ['B', 45_905, 3],
    ],
    'Supplier',
  )
  await format(supplier, [null, US])
  config = await aMerge(app.db, [master, supplier])
  await compile()
})

/** Sets these formats of numbers for the current rows of a source. */
const format = (task_id: number, formats: (NumberFormat | null)[]) =>
  sql`update snapshots set formats = ${JSON.stringify(formats)}
    from tasks t where t.id = ${task_id} and snapshots.id = t.snapshot_id`.execute(app.db)

const compile = async (fields: object = {}) =>
  expect(
    (await ada.request('POST', '/api/compiler/compile', { config_id: config.id, ...fields })).statusCode,
  ).toBe(200)
async function records(query = '') {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}${query}`)
  return compilerRecords.data.reply.parse(reply.json()).data
}
const formatsOf = async (query?: string) =>
  Object.fromEntries((await records(query)).map(({ sku, number_formats }) => [sku, number_formats]))
async function fieldsOf(sku: string) {
  const reply = await ada.request('GET', `/api/compiler/data/${sku}?compiler_config_id=${config.id}`)
  const { fields } = compilerRecords.record.reply.parse(reply.json())
  return Object.fromEntries(fields.map((field) => [field.name, field]))
}

const OF_EACH = { A: { Price: EURO, Since: ISO }, B: { Since: US }, C: {} }

test('a number has the format of the source of its field; texts and blanks have none', async () => {
  expect(await formatsOf()).toEqual(OF_EACH)
  expect(await formatsOf('&sku_search=B')).toEqual({ B: { Since: US } })
  expect((await records())[0]).toMatchObject({ sku: 'A', Price: 9.5, Since: 45_904 })
})

test('a record has the formats of each source for its values', async () => {
  const { Since, Price } = await fieldsOf('A')
  expect([Since?.number_format, Price?.number_format]).toEqual([ISO, EURO])
  expect(Since?.others).toEqual([
    { source_task_id: supplier, name: 'Supplier', value: 45_900, number_format: US },
  ])
  expect(Price?.others).toMatchObject([{ value: 8, number_format: null }])
  expect((await fieldsOf('B')).Price).toMatchObject({ value: 3, number_format: null })
})

test('formats remain those of the merged rows after the source changed and the rows were pruned', async () => {
  const rows: CellValue[][] = [['A', 45_900, 8]]
  await aCopy(app.db, supplier, ['SKU', 'Since', 'Price'], rows)
  await sql`update snapshots set pinned_until = now() - interval '1 hour', created_at = now() - interval '1 day'`.execute(
    app.db,
  )
  await prune(app.db, 90)
  expect(await formatsOf()).toEqual(OF_EACH)
  await compile()
  expect(await formatsOf()).toEqual({ A: { Price: EURO, Since: ISO }, B: {}, C: {} })
})

test('records that stay have the formats of the sources as they are merged now, and a removed record changes none', async () => {
  await compile({ overwrite: false })
  expect(await formatsOf()).toEqual(OF_EACH)
  await ada.request('DELETE', `/api/compiler/data/A?compiler_config_id=${config.id}`)
  expect(await formatsOf()).toEqual({ B: { Since: US }, C: {} })
})

test('records from before formats were kept have none', async () => {
  await sql`update compiled_versions set source_versions = (
    select jsonb_agg(version - 'formats') from jsonb_array_elements(source_versions) as of (version))`.execute(
    app.db,
  )
  expect(await formatsOf()).toEqual({ A: {}, B: {}, C: {} })
  expect((await fieldsOf('A')).Since?.number_format).toBe(null)
  await sql`update compiled_versions set source_versions = '[]'`.execute(app.db)
  expect(await formatsOf()).toEqual({ A: {}, B: {}, C: {} })
})

test('a preview has the formats of the records that would follow', async () => {
  const sources = { source_task_ids: [master, supplier], master_source_id: master }
  const reply = await ada.request('POST', '/api/compiler/preview', sources)
  const shown = CompilerPreview.parse(reply.json()).records.map(({ sku, number_formats }) => [
    sku,
    number_formats,
  ])
  expect(Object.fromEntries(shown)).toEqual(OF_EACH)
})

test('numbers that moved have the format of their source', async () => {
  await aCopy(
    app.db,
    master,
    ['Price', 'SKU', 'Since'],
    [
      [9.5, 'A', 45_914],
      [null, 'B', null],
      ['on request', 'C', 'unknown'],
    ],
  )
  await format(master, [EURO, null, ISO])
  await compile()
  const ask = async () => {
    const reply = await ada.request('GET', `/api/compiler/quality?compiler_config_id=${config.id}`)
    return compilerRecords.quality.reply.parse(reply.json()).since_last?.moves
  }
  const moves = [expect.objectContaining({ field: 'Since', from: 45_904, to: 45_914, number_format: ISO })]
  expect(await ask()).toEqual(moves)
  // as they are kept
  expect(await ask()).toEqual(moves)
})

test('a column with the name of the formats column becomes a field of another name', async () => {
  await aCopy(app.db, supplier, ['SKU', 'number_formats'], [['A', 45_900]])
  await format(supplier, [null, US])
  await compile()
  const [first] = await records()
  expect(first).toMatchObject({ number_formats_: 45_900, number_formats: { number_formats_: US } })
})

test('a file has dates and times as text, and other numbers without what their formats leave out', async () => {
  const { body } = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}`)
  expect(body.startsWith('\ufeff')).toBe(true)
  const rows = body
    .slice(1)
    .split('\r\n')
    .map((line) => line.split(',').slice(0, 3))
  expect(rows.slice(0, 4)).toEqual([
    ['sku', 'Price', 'Since'],
    ['A', '9.5', '2025-09-04'],
    ['B', '3', '2025-09-05'],
    ['C', 'on request', 'unknown'],
  ])
  const fetched = await ada.request('GET', `/api/source_tasks/${master}/export_csv`)
  expect(fetched.body.split('\r\n').slice(0, 3)).toEqual(['\ufeffPrice,SKU,Since', '9.5,A,2025-09-04', ',B,'])
})

test('a file has days and durations that Excel does not have as text, too', async () => {
  await aCopy(
    app.db,
    master,
    ['SKU', 'Since', 'Took'],
    [
      ['A', -36_522, -0.5],
      ['B', 2_958_466, 1.5],
    ],
  )
  await format(master, [null, ISO, { type: 'TIME', pattern: '[h]:mm' }])
  const { body } = await ada.request('GET', `/api/source_tasks/${master}/export_csv`)
  expect(body).toBe('\ufeffSKU,Since,Took\r\nA,1800-01-01,-12:00:00\r\nB,10000-01-01,36:00:00\r\n')
})
