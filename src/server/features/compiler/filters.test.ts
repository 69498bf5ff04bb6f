import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import { prune } from '../../engine/prune.ts'

const Lines = z.array(z.array(z.string()))

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number
let prices: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  const engine = await startEngine(app.database, [compileHandler(app.database)])
  const { db } = app
  master = await aSource(
    db,
    ['SKU', 'Name', 'Size'],
    [
      ['A', 'Pan', null],
      ['B', '', 'L'],
      ['C', 'Lid', null],
      ['D', 'Pot', 'S'],
    ],
  )
  prices = await aSource(
    db,
    ['SKU', 'Price', 'Size'],
    [
      ['A', 1, 'M'],
      ['B', 2, 'S'],
      ['b\u0001x', 3, null],
      ['Straße', 4, null],
    ],
  )
  config = await aMerge(db, [master, prices])
  const compile = async () =>
    expect((await ada.request('POST', '/api/compiler/compile', { config_id: config.id })).statusCode).toBe(
      200,
    )
  await compile()
  await aCopy(
    db,
    prices,
    ['SKU', 'Price', 'Size'],
    [
      ['A', 1, 'M'],
      ['B', 20, 'S'],
      ['newne', 5, null],
      ['Straße', 4, null],
    ],
  )
  await compile()
  await engine.stop()
})

async function records(query: string) {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerRecords.data.reply.parse(reply.json())
}

const filters = (): [string, string[]][] => [
  ['&not_in_master=true', ['newne', 'Straße']],
  ['&not_in_master=false', ['A', 'B', 'C', 'D']],
  ['&blank_field=Size', ['C', 'newne', 'Straße']],
  ['&blank_field=Size&not_in_master=false', ['C']],
  ['&blank_field=Colour', ['A', 'B', 'C', 'D', 'newne', 'Straße']],
  [`&filled_by=${prices}`, ['A', 'B', 'newne', 'Straße']],
  [`&filled_by=${prices}&field=Size`, ['A']],
  [`&filled_by=${master}&field=Size`, ['B', 'D']],
  [`&filled_by=${master}&field=Colour`, []],
  ['&filled_by=999999', []],
  ['&change=added', ['newne']],
  ['&change=changed', ['B']],
  ['&change=changed&has_blanks=false', []],
  ['&change=gone', ['b\u0001x']],
  ['&change=gone&has_blanks=false', []],
  ['&sku_search=STRASSE', []],
  ['&sku_search=STRA%C3%9FE', ['Straße']],
  ['&sku_search=e', ['newne', 'Straße']],
  ['&sku_search=e&not_in_master=true&change=added', ['newne']],
  ['&sku_search=%01', []],
  // The column follows the SKUs.
  ['&sku_search=%02%02%03', []],
  ['&sku_search=ne', ['newne']],
  ['&change=gone&sku_search=b', ['b\u0001x']],
]

test('each filter, alone and with others, lists its records and counts them, and its file has the same', async () => {
  // As they are found first, and as they are found again.
  for (const round of [1, 2])
    for (const [query, expected] of filters()) {
      const { data, total_count } = await records(query)
      expect([query, data.map(({ sku }) => sku), total_count]).toEqual([query, expected, expected.length])
      if (round === 2) continue
      const file = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}${query}`)
      if (expected.length === 0)
        expect([file.statusCode, file.json().message]).toEqual([404, 'No data to export.'])
      else {
        const [, ...lines] = Lines.parse(parse(file.body, { bom: true }))
        expect(lines.map(([sku]) => sku)).toEqual(expected)
      }
    }
})

test('a removed record is shown in its last state', async () => {
  const { data } = await records('&change=gone')
  expect(data).toMatchObject([{ sku: 'b\u0001x', Price: 3, Name: null, has_blanks: true }])
})

test('a file contains SKU, fields and record details; texts that look like formulas stay text', async () => {
  const file = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}&sku_search=a`)
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head, first] = Lines.parse(parse(file.body, { bom: true }))
  expect(head).toEqual([
    ...['sku', 'Name', 'Size', 'Price', 'source_count', 'has_blanks', 'has_errors', 'is_duplicate'],
    ...['validation_notes', 'created_at', 'updated_at'],
  ])
  expect(first?.slice(0, 9)).toEqual(['A', 'Pan', 'M', '1', '2', 'false', 'false', 'false', ''])
})

test('up to 999,999 records come in one reply', async () => {
  expect((await records('&limit=999999')).data).toHaveLength(6)
  const more = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}&limit=1000000`)
  expect(more.statusCode).toBe(400)
})

test('stored search results are deleted with their version', async () => {
  const tables = ['compiled_sets', 'compiled_sku_texts'] as const
  const kept = async () => {
    const lists = await Promise.all(
      tables.map((table) => app.db.selectFrom(table).select('snapshot_id').distinct().execute()),
    )
    return lists.map((list) => list.length)
  }
  expect(await kept()).toEqual([1, 2])
  await ada.request('DELETE', '/api/compiler/data', { compiler_config_id: config.id })
  await sql`update snapshots set created_at = now() - interval '1 hour', pinned_until = now() - interval '1 hour'`.execute(
    app.db,
  )
  await prune(app.db, 90)
  expect(await kept()).toEqual([0, 0])
})
