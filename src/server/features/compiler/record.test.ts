import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { prune } from '../../engine/prune.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number
let prices: number
let third: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  const { db } = app
  const long = 'ä/%?#'.repeat(200)
  master = await aSource(
    db,
    ['SKU', 'Name', 'Price'],
    [
      ['007', 'Pan', null],
      [long, 'Lid', 1],
    ],
    'Master',
  )
  prices = await aSource(
    db,
    ['Price', 'SKU', 'Unit'],
    [
      [9.5, '007', ''],
      [8, '007', 'kg'],
      ['#N/A', 'new', null],
    ],
    'Prices',
  )
  third = await aSource(db, ['SKU', 'Name', 'Price', 'Unit'], [['007', '', 0, 'g']], 'Third')
  config = await aMerge(db, [master, prices, third])
  await compile()
})

const compile = async () =>
  expect((await ada.request('POST', '/api/compiler/compile', { config_id: config.id })).statusCode).toBe(200)
const get = (sku: string, id = config.id) =>
  ada.request('GET', `/api/compiler/data/${encodeURIComponent(sku)}?compiler_config_id=${id}`)
const detail = async (sku: string) => {
  const reply = await get(sku)
  expect(reply.statusCode).toBe(200)
  return compilerRecords.record.reply.parse(reply.json())
}

test('a record shows the origin of each field and the values of other sources with the SKU', async () => {
  const names = { [master]: 'Master', [prices]: 'Prices', [third]: 'Third' }
  const of = (source_task_id: number) => ({ source_task_id, name: names[source_task_id] })
  const { record, fields, completeness, flags, sources_gone } = await detail('007')
  expect(record).toMatchObject({ sku: '007', Name: 'Pan', Price: 9.5, Unit: 'g', source_count: 3 })
  expect(fields).toEqual([
    {
      ...{
        name: 'Name',
        value: 'Pan',
        number_format: null,
        required: true,
        error: false,
        source: of(master),
      },
      ...{ failures: [], raw: null, repaired: null, override: null, live_override: null, decision: null },
      others: [{ ...of(third), value: '', number_format: null }],
    },
    {
      ...{ name: 'Price', value: 9.5, number_format: null, required: true, error: false, source: of(prices) },
      ...{ failures: [], raw: null, repaired: null, override: null, live_override: null, decision: null },
      others: [
        { ...of(master), value: null, number_format: null },
        { ...of(third), value: 0, number_format: null },
      ],
    },
    {
      ...{ name: 'Unit', value: 'g', number_format: null, required: true, error: false, source: of(third) },
      ...{ failures: [], raw: null, repaired: null, override: null, live_override: null, decision: null },
      others: [{ ...of(prices), value: '', number_format: null }],
    },
  ])
  expect(completeness).toEqual({ filled: 3, of: 3 })
  expect(sources_gone).toEqual([])
  expect(flags).toEqual([
    { flag: 'is_duplicate', explanation: 'More than once in Prices; the first row counts.' },
  ])
})

test('completeness is the share of filled fields, and each flag is explained', async () => {
  const { record, fields, completeness, flags } = await detail('new')
  expect(completeness).toEqual({ filled: 1, of: 3 })
  expect(fields.map(({ name, value, error, source }) => [name, value, error, source?.name])).toEqual([
    ['Name', null, false, undefined],
    ['Price', '#N/A', true, 'Prices'],
    ['Unit', null, false, undefined],
  ])
  expect(flags.map(({ flag }) => flag)).toEqual(['has_blanks', 'has_errors', 'not_in_master'])
  expect(flags.map(({ explanation }) => explanation).join(' ')).toBe(record.validation_notes)
})

test('fields that are not required do not count', async () => {
  await sql`update compiled_versions set required_fields = '["Price"]'`.execute(app.db)
  const { fields, completeness, flags } = await detail('new')
  expect(fields.map(({ required }) => required)).toEqual([false, true, false])
  expect(completeness).toEqual({ filled: 1, of: 1 })
  expect(flags.map(({ flag }) => flag)).toEqual(['has_errors', 'not_in_master'])
})

test('source values come from the merged rows; if these were deleted, the record says so', async () => {
  await aCopy(app.db, third, ['SKU', 'Price'], [['007', 77]])
  expect((await detail('007')).fields[1]?.others).toContainEqual({
    source_task_id: third,
    name: 'Third',
    value: 0,
    number_format: null,
  })
  await sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'`.execute(
    app.db,
  )
  await prune(app.db, 90)
  const { fields, sources_gone } = await detail('007')
  expect(fields[1]?.others).toEqual([
    { source_task_id: master, name: 'Master', value: null, number_format: null },
  ])
  expect(sources_gone).toEqual([{ source_task_id: third, name: 'Third' }])
})

test('every SKU has a page, with up to a thousand characters of any kind; an unknown one is 404', async () => {
  expect((await detail('ä/%?#'.repeat(200))).record).toMatchObject({ Name: 'Lid' })
  for (const [sku, id] of [
    ['7', config.id],
    ['007', 999_999],
  ] as const)
    expect((await get(sku, id)).statusCode).toBe(404)
})
