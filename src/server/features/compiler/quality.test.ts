import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number
let prices: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  const { db } = app
  master = await aSource(
    db,
    ['SKU', 'Name', 'Price'],
    [
      ['A', 'Pan', 5],
      ['B', '', null],
      ['C', 'Lid', null],
    ],
    'Master',
  )
  prices = await aSource(
    db,
    ['SKU', 'Price', 'Stock'],
    [
      ['A', 1, 100],
      ['B', 2, 0],
      ['C', '#N/A', 7],
      ['C', 3, 7],
    ],
    'Prices',
  )
  config = await aMerge(db, [master, prices])
  await compile()
})

const compile = async () =>
  expect((await ada.request('POST', '/api/compiler/compile', { config_id: config.id })).statusCode).toBe(200)
async function quality(id = config.id) {
  const reply = await ada.request('GET', `/api/compiler/quality?compiler_config_id=${id}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerRecords.quality.reply.parse(reply.json())
}
const countOf = async (query: string) => {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}&${query}`)
  return compilerRecords.data.reply.parse(reply.json()).total_count
}

test('quality shows the last compiles with their counts and the sources of each field; after the first there are no changes', async () => {
  const of = (source_task_id: number, name: string, records: number) => ({ source_task_id, name, records })
  expect(await quality()).toEqual({
    compiles: [
      {
        ...{ run_id: expect.any(Number), compiled_at: expect.any(String), total: 3, clean: 1 },
        ...{ blanks: 1, errors: 1, duplicates: 1 },
      },
    ],
    checks: [],
    fields: [
      { name: 'Name', blanks: 1, filled_by: [of(master, 'Master', 2)] },
      { name: 'Price', blanks: 0, filled_by: [of(prices, 'Prices', 2), of(master, 'Master', 1)] },
      { name: 'Stock', blanks: 0, filled_by: [of(prices, 'Prices', 3)] },
    ],
    since_last: null,
  })
})

test('since the last compile: records added, changed and gone, and the largest moves of numbers of each source', async () => {
  await aCopy(
    app.db,
    master,
    ['SKU', 'Name', 'Price'],
    [
      ['A', 'Pan', 6],
      ['B', '', null],
    ],
  )
  await aCopy(
    app.db,
    prices,
    ['SKU', 'Stock', 'Price'],
    [
      ['A', 50, 9],
      ['B', 3, 2.2],
      ['D', 1, 1],
    ],
  )
  await compile()
  const { compiles, since_last } = await quality()
  expect(compiles.map(({ total }) => total)).toEqual([3, 3])
  expect(since_last).toMatchObject({ added: 1, changed: 2, gone: 1, moves_of: 2 })
  expect(
    since_last?.moves.map(({ source, number_format: _, row: __, ...move }) => [source.name, move]),
  ).toEqual(
    expect.arrayContaining([
      ['Master', { field: 'Price', sku: 'A', from: 5, to: 6 }],
      ['Prices', { field: 'Stock', sku: 'B', from: 0, to: 3 }],
      ['Prices', { field: 'Stock', sku: 'A', from: 100, to: 50 }],
      ['Prices', { field: 'Price', sku: 'B', from: 2, to: 2.2 }],
    ]),
  )
  expect(since_last?.moves).toHaveLength(4)
  for (const [query, count] of [
    ['change=added', 1],
    ['change=changed', 2],
    ['change=gone', 1],
  ] as const)
    expect([query, await countOf(query)]).toEqual([query, count])
})

test('each count is that of the records that it opens, also when some were removed', async () => {
  const agree = async () => {
    const { fields } = await quality()
    for (const { name, blanks, filled_by } of fields) {
      expect(await countOf(`blank_field=${name}`)).toBe(blanks)
      for (const { source_task_id, records } of filled_by)
        expect(await countOf(`field=${name}&filled_by=${source_task_id}`)).toBe(records)
    }
    return fields
  }
  const before = await agree()
  await ada.request('DELETE', `/api/compiler/data/B?compiler_config_id=${config.id}`)
  expect(await agree()).not.toEqual(before)
  expect((await quality()).fields[0]).toMatchObject({ name: 'Name', blanks: 0 })
})

test('only the last fourteen successful compiles are shown', async () => {
  const receipt = { records: 9, fields: 1, sources: 1, rows_read: 9, added: 0, changed: 0, gone: 0 }
  const more = { blanks: 0, errors: 0, duplicates: 0, duration_ms: 1 }
  const states = [...Array.from({ length: 20 }, () => 'success' as const), 'failed' as const]
  for (const [n, state] of states.entries())
    await app.db
      .insertInto('runs')
      .values({
        ...{
          task_id: config.task_id,
          category: 'compiler',
          task_name: 'Shop',
          trigger: 'manual',
          trigger_label: 'ada',
        },
        ...{
          definition: '{}',
          state,
          finished_at: new Date(),
          receipt: JSON.stringify({ ...receipt, ...more, blanks: n }),
        },
      })
      .execute()
  const { compiles } = await quality()
  expect(compiles.map(({ blanks }) => blanks)).toEqual(Array.from({ length: 14 }, (_, n) => n + 6))
  expect(compiles[0]).toMatchObject({ total: 9, clean: null })
})

test('a configuration without a compile has no quality; a missing one is 404', async () => {
  const { id } = await aConfig(app.db)
  expect(await quality(id)).toEqual({ compiles: [], fields: [], checks: [], since_last: null })
  expect((await ada.request('GET', '/api/compiler/quality?compiler_config_id=999999')).statusCode).toBe(404)
})
