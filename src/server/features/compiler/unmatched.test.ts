import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aSourceTask } from '../../../../test/fixtures/factories.ts'
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
  const many = Array.from({ length: 10_500 }, (_, n) => [`M${n + 10_000}-X`])
  master = await aSource(
    db,
    ['SKU'],
    [['ABC-1234'], ['007'], ['abc1235'], ['AB C12-36'], ['Pan'], ...many, ['Last-One']],
    'Master',
  )
  const given = ['abc 1234', '7', 'pan', 'pam', 'ABC-1299', 'LASTONE', 'unlike anything', 'ABC-1234']
  prices = await aSource(
    db,
    ['SKU', 'Price'],
    given.map((sku, n) => [sku, n]),
    'Prices',
  )
  const others = await aSource(db, ['SKU'], [['7'], ['pan']], 'Others')
  config = await aMerge(db, [master, prices, others])
  expect((await ada.request('POST', '/api/compiler/compile', { config_id: config.id })).statusCode).toBe(200)
})

const get = (query = '', id = config.id) =>
  ada.request('GET', `/api/compiler/unmatched?compiler_config_id=${id}${query}`)
const unmatched = async (query = '') => compilerRecords.unmatched.reply.parse((await get(query)).json())
const map = (body: object, id = config.id) =>
  ada.request('PUT', `/api/compiler/configs/${id}/sku_mappings`, body)
const mappings = async () =>
  (await ada.request('GET', `/api/compiler/configs/${config.id}/sku_mappings`)).json()

test('SKUs missing from the master are listed with similar ones: equal except for case, dashes, blanks and leading zeros, then a few letters apart', async () => {
  const { data, total_count, has_next } = await unmatched()
  expect([total_count, has_next]).toEqual([7, false])
  expect(
    data.map(({ sku, sources, candidates }) => [sku, sources.map(({ name }) => name), candidates]),
  ).toEqual([
    [
      'abc 1234',
      ['Prices'],
      [
        { sku: 'ABC-1234', same: true },
        { sku: 'abc1235', same: false },
        { sku: 'AB C12-36', same: false },
      ],
    ],
    ['7', ['Prices', 'Others'], [{ sku: '007', same: true }]],
    ['pan', ['Prices', 'Others'], [{ sku: 'Pan', same: true }]],
    ['pam', ['Prices'], []],
    ['ABC-1299', ['Prices'], []],
    ['LASTONE', ['Prices'], [{ sku: 'Last-One', same: true }]],
    ['unlike anything', ['Prices'], []],
  ])
})

test('missing SKUs are paged and exclude removed records', async () => {
  await ada.request('DELETE', `/api/compiler/data/pan?compiler_config_id=${config.id}`)
  const page = await unmatched('&limit=2&offset=1')
  expect(page).toMatchObject({ total_count: 6, limit: 2, offset: 1, has_next: true, has_prev: true })
  expect(page.data.map(({ sku }) => sku)).toEqual(['7', 'pam'])
})

test('one click maps a supplier’s SKU to one of the master, another undoes it', async () => {
  const given = { source_task_id: prices, sku: ' abc 1234', master_sku: 'ABC-1234' }
  expect((await map(given)).statusCode).toBe(204)
  expect((await map({ ...given, master_sku: 'abc1235' })).statusCode).toBe(204)
  expect(await mappings()).toEqual([{ source_task_id: prices, sku: 'abc 1234', master_sku: 'abc1235' }])
  expect((await unmatched()).data[0]?.sources).toEqual([
    { source_task_id: prices, name: 'Prices', mapped_to: 'abc1235' },
  ])
  expect((await map({ ...given, master_sku: null })).statusCode).toBe(204)
  expect(await mappings()).toEqual([])
  const lines = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'map_sku')
    .orderBy('id')
    .execute()
  expect(lines.map(({ details }) => details)).toEqual(
    ['ABC-1234', 'abc1235', null].map((master_sku) => ({
      source_task_id: prices,
      sku: 'abc 1234',
      master_sku,
    })),
  )
})

test('a task that is not a source of the configuration has no SKUs in it; a blank SKU is refused', async () => {
  const { id } = await aSourceTask(app.db)
  const reply = await map({ source_task_id: id, sku: 'a', master_sku: 'b' })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'source_task_id'])
  expect((await map({ source_task_id: prices, sku: ' ', master_sku: 'b' })).statusCode).toBe(400)
  expect((await map({ source_task_id: prices, sku: 'a', master_sku: 'b' }, 999_999)).statusCode).toBe(404)
})

test('a configuration without a compile has no missing SKUs', async () => {
  const { id } = await aConfig(app.db)
  expect((await get('', id)).json()).toMatchObject({ data: [], total_count: 0, has_next: false })
  expect((await get('', 999_999)).statusCode).toBe(404)
})

test('a search matches any part of a SKU; a stored list of many matches gives the same result', async () => {
  const search = async (text: string, offset = 0) => {
    const path = `/api/compiler/data?compiler_config_id=${config.id}&limit=2&sku_search=${text}&offset=${offset}`
    const { data, total_count } = compilerRecords.data.reply.parse((await ada.request('GET', path)).json())
    return [total_count, data.map(({ sku }) => sku)]
  }
  const stored = async () =>
    (await app.db.selectFrom('compiled_sets').select('name').where('name', 'like', 'search %').execute())
      .length
  expect(await search('last')).toEqual([2, ['Last-One', 'LASTONE']])
  expect(await search('m2044')).toEqual([10, ['M20440-X', 'M20441-X']])
  expect(await stored()).toBe(0)
  const expected = [10_500, ['M20498-X', 'M20499-X']]
  expect(await search('-x', 10_498)).toEqual(expected)
  expect(await stored()).toBe(1)
  expect(await search('-x', 10_498)).toEqual(expected)
})
