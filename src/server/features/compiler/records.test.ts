import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aSourceTask } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }

const compile = (config_id: number, fields: object = {}) =>
  ada.request('POST', '/api/compiler/compile', { config_id, ...fields })

async function records(query: string) {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}${query}`)
  expect(reply.statusCode).toBe(200)
  return compilerRecords.data.reply.parse(reply.json())
}

const skus = async (query: string) => (await records(query)).data.map(({ sku }) => sku)

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  const master = await aSource(
    app.db,
    ['SKU', 'Name', 'has_blanks'],
    [
      ['A-1', 'Pan', 'x'],
      ['A-2', '', 'x'],
      ['a%3', '#N/A', 'x'],
      ['A-1', 'Again', 'x'],
    ],
    'Master',
  )
  const prices = await aSource(
    app.db,
    ['SKU', 'Price'],
    [
      ['A-1', 0],
      ['A-2', false],
      ['a%3', 3],
      ['only', null],
    ],
    'Prices',
  )
  config = await aMerge(app.db, [master, prices])
})

beforeEach(async () => {
  await startEngine(app.database, [compileHandler(app.database)])
})

test('a compile returns the numbers of rows read and of SKUs, and its records are paged', async () => {
  const reply = await compile(config.id)
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { run_id: expect.any(Number), total_rows_processed: 8, unique_skus: 4 },
  ])
  const page = await records('&limit=2&offset=1')
  expect(page).toMatchObject({ total_count: 4, limit: 2, offset: 1, has_next: true, has_prev: true })
  expect(page.data).toMatchObject([
    {
      sku: 'A-2',
      Name: null,
      Price: false,
      source_count: 2,
      has_blanks: true,
      has_errors: false,
      is_duplicate: false,
      validation_notes: 'Blank: Name.',
      compiler_config_id: config.id,
    },
    { sku: 'a%3', has_blanks: false, has_errors: true, validation_notes: 'Spreadsheet errors: Name.' },
  ])
  const [first] = (await records('&limit=1')).data
  expect(first).toMatchObject({
    sku: 'A-1',
    Name: 'Pan',
    Price: 0,
    is_duplicate: true,
    validation_notes: 'More than once in Master; the first row counts.',
  })
  const [last] = (await records('&offset=3')).data
  expect(last).toMatchObject({
    sku: 'only',
    source_count: 1,
    validation_notes: 'Blank: Name, has_blanks_, Price. Not in the master, only in Prices.',
  })
})

test('records are found by their flags and by a part of the SKU, and counted', async () => {
  await compile(config.id)
  expect(await skus('&has_blanks=true')).toEqual(['A-2', 'only'])
  expect(await skus('&has_blanks=false&has_errors=false')).toEqual(['A-1'])
  expect(await skus('&is_duplicate=true')).toEqual(['A-1'])
  expect(await skus('&sku_search=a')).toEqual(['A-1', 'A-2', 'a%3'])
  expect(await skus('&sku_search=%25')).toEqual(['a%3'])
  for (const wildcard of ['_', '%25_%25', 'A__']) expect(await skus(`&sku_search=${wildcard}`)).toEqual([])
  expect(await skus('&sku_search=A-&has_blanks=true')).toEqual(['A-2'])
  expect(await records('&sku_search=a&limit=1&offset=1')).toMatchObject({ total_count: 3, has_next: true })
  expect(await records('&sku_search=a&limit=1&offset=9')).toMatchObject({
    total_count: 3,
    data: [],
    has_next: false,
  })
  const reply = await ada.request('GET', `/api/compiler/stats?compiler_config_id=${config.id}`)
  expect(reply.json()).toEqual({
    total_records: 4,
    clean_records: 0,
    records_with_blanks: 2,
    records_with_errors: 1,
    duplicate_records: 1,
    compiled_at: expect.any(String),
  })
})

test('simultaneous compile requests share one run', async () => {
  const replies = await Promise.all([compile(config.id), compile(config.id)])
  const [one, two] = replies.map((reply) => reply.json())
  expect(one).toEqual(two)
})

test('a configuration without records has an empty page, and counts nothing', async () => {
  const { id } = await aConfig(app.db)
  const data = await ada.request('GET', `/api/compiler/data?compiler_config_id=${id}`)
  expect(data.json()).toMatchObject({ data: [], total_count: 0, has_next: false, has_prev: false })
  const stats = await ada.request('GET', `/api/compiler/stats?compiler_config_id=${id}`)
  expect(stats.json()).toMatchObject({ total_records: 0, compiled_at: null })
})

test('a compile that cannot start states the reason: unknown, inactive, a source without data', async () => {
  expect((await compile(999_999)).statusCode).toBe(404)
  const idle = await aConfig(app.db, { is_active: false })
  expect((await compile(idle.id)).json()).toMatchObject({ code: 'config_inactive' })
  const { id } = await aSourceTask(app.db, { name: 'Not run yet' })
  const { id: empty } = await aMerge(app.db, [id])
  const reply = await compile(empty)
  expect([reply.statusCode, reply.json().message]).toEqual([
    422,
    '‘Not run yet’ has no data yet. Run it first.',
  ])
  for (const path of ['data', 'stats'])
    expect((await ada.request('GET', `/api/compiler/${path}?compiler_config_id=999999`)).statusCode).toBe(404)
})
