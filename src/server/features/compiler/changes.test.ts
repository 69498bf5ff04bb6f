import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { compilerChanges } from '../../../contract/compiler/changes.ts'
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
  const { db } = app
  await removeTasks(db)
  await startEngine(app.database, [compileHandler(app.database)])
  master = await aSource(
    db,
    ['SKU', 'Name', 'Colour'],
    [
      ['A', 'Pan', 'red'],
      ['B', 'Lid', 'blue'],
      ['007', 'Pot', null],
    ],
    'Master',
  )
  prices = await aSource(
    db,
    ['SKU', 'Price'],
    [
      ['A', 1],
      ['B', 2],
    ],
    'Prices',
  )
  config = await aMerge(db, [master, prices])
  await compile()
})

const compile = async () =>
  expect((await ada.request('POST', '/api/compiler/compile', { config_id: config.id })).statusCode).toBe(200)

async function changes(query = '') {
  const reply = await ada.request('GET', `/api/compiler/changes?compiler_config_id=${config.id}${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerChanges.changes.reply.parse(reply.json())
}

const short = async (query = '') =>
  (await changes(query)).changes.map(({ kind, sku, field, before, after, sources }) =>
    [kind, sku, field, before.value, after.value, sources.map(({ name }) => name).join('+')].join(' '),
  )

/** A is changed by both sources and loses its colour, B is gone, and C is added. */
async function compileAgain() {
  await aCopy(
    app.db,
    master,
    ['SKU', 'Name', 'Colour'],
    [
      ['A', 'Frying pan', null],
      ['007', 'Pot', null],
      ['C', 'Lid', 'blue'],
    ],
  )
  await aCopy(
    app.db,
    prices,
    ['SKU', 'Price'],
    [
      ['A', '007'],
      ['C', 3],
    ],
  )
  await compile()
}

test('a first compile has no changes, and neither has one of the same rows', async () => {
  expect(await changes()).toEqual({ changes: [], next: null })
  await compile()
  expect(await changes()).toEqual({ changes: [], next: null })
  expect(
    (await ada.request('GET', `/api/compiler/changes/export?compiler_config_id=${config.id}`)).statusCode,
  ).toBe(404)
})

test('records that are gone, changed fields and added records, with the source that caused each', async () => {
  await compileAgain()
  expect(await short()).toEqual([
    'gone B    Master+Prices',
    'changed A Name Pan Frying pan Master',
    'changed A Colour red  Master',
    'changed A Price 1 007 Prices',
    'added C    Master+Prices',
  ])
  expect(await short('&kind=added')).toEqual(['added C    Master+Prices'])
  expect(await short(`&source=${prices}`)).toEqual([
    'gone B    Master+Prices',
    'changed A Price 1 007 Prices',
    'added C    Master+Prices',
  ])
  expect(await short('&field=Colour')).toEqual(['changed A Colour red  Master'])
  expect(await short('&sku_search=c')).toEqual(['added C    Master+Prices'])
  expect(await short('&field=Unknown')).toEqual([])
  expect(await short('&kind=gone&field=Colour')).toEqual([])
})

test('pages follow each other without gaps or repetitions', async () => {
  await compileAgain()
  const whole = await short()
  const found: string[] = []
  for (let next: number | null = 0, pages = 0; next !== null && pages < 9; pages += 1) {
    found.push(...(await short(`&limit=1&from=${next}`)))
    next = (await changes(`&limit=1&from=${next}`)).next
  }
  expect(found).toEqual(whole)
})

test('as a file: texts stay as they are, and formulas are no formulas', async () => {
  await aCopy(app.db, master, ['SKU', 'Name'], [['A', '=1+1']])
  await compile()
  const { body, headers } = await ada.request(
    'GET',
    `/api/compiler/changes/export?compiler_config_id=${config.id}&kind=changed`,
  )
  expect(headers['content-disposition']).toContain(`compiler_config_${config.id}_changes.csv`)
  expect(body.split(/\r?\n/)).toEqual([
    expect.stringMatching(/^\uFEFF?sku,change,field,before,after,sources$/),
    "A,changed,Name,Pan,'=1+1,Master",
    'A,changed,Colour,red,,Master',
    'B,changed,Name,Lid,,Master',
    'B,changed,Colour,blue,,Master',
    '',
  ])
})

test('a column that is no longer read, and one that is new, are changes', async () => {
  await aCopy(
    app.db,
    prices,
    ['SKU', 'Stock'],
    [
      ['A', 7],
      ['B', 0],
    ],
  )
  await compile()
  expect(await short('&kind=changed')).toEqual([
    'changed A Stock  7 Prices',
    'changed A Price 1  Prices',
    'changed B Stock  0 Prices',
    'changed B Price 2  Prices',
  ])
})

test('quality says what was changed by which source', async () => {
  await compileAgain()
  const reply = await ada.request('GET', `/api/compiler/quality?compiler_config_id=${config.id}`)
  const { since_last } = compilerRecords.quality.reply.parse(reply.json())
  expect(since_last?.causes.map(({ source, field, records }) => [source?.name, field, records])).toEqual([
    ['Master', 'Name', 1],
    ['Master', 'Colour', 1],
    ['Prices', 'Price', 1],
  ])
})

test('records that a user has removed are no changes', async () => {
  await compileAgain()
  await ada.request('DELETE', `/api/compiler/data/C?compiler_config_id=${config.id}`)
  expect(await short('&kind=added')).toEqual([])
})

test('a configuration that does not exist is 404, a wrong filter 400', async () => {
  expect((await ada.request('GET', '/api/compiler/changes?compiler_config_id=999999')).statusCode).toBe(404)
  const wrong = await ada.request('GET', `/api/compiler/changes?compiler_config_id=${config.id}&kind=renamed`)
  expect(wrong.statusCode).toBe(400)
})
