import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aSourceTask, aSyncTask, aType } from '../../../../test/fixtures/factories.ts'
import { Found } from '../../../contract/search/calls.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
})

const find = async (text: string, limit = 8) => {
  const reply = await ada.request('GET', `/api/search?search=${encodeURIComponent(text)}&limit=${limit}`)
  expect(reply.statusCode).toBe(200)
  return Found.parse(reply.json())
}

test('a search finds tasks and types of all categories, matches of the name first', async () => {
  const type = await aType(app.db, { name: 'Zebra types' })
  const inTarget = await aSyncTask(app.db, {
    name: 'Anything',
    task_type_id: type.id,
    definition: { target_ss_name: 'Zebra book', target_sheet_name: 'Prices' },
  })
  const source = await aSourceTask(app.db, {
    name: 'All zebra prices',
    definition: { spreadsheet_name: 'Zoo', sheet_name: 'Animals' },
  })
  const config = await aConfig(app.db, { name: 'Zebra' })
  expect(await find(' zebra ')).toEqual({
    tasks: [
      {
        id: config.task_id,
        category: 'compiler',
        config_id: config.id,
        name: 'Zebra',
        sheets: null,
        type: null,
        place: '',
      },
      {
        id: source.id,
        category: 'source',
        config_id: null,
        name: source.name,
        sheets: null,
        type: null,
        place: 'Zoo / Animals',
      },
      {
        id: inTarget.id,
        category: 'sync',
        config_id: null,
        name: 'Anything',
        sheets: { source_sheet_name: 'Source', target_sheet_name: 'Prices' },
        type: type.name,
        place: 'Zebra book / Prices',
      },
    ],
    types: [{ id: type.id, category: 'sync', name: type.name, tasks: 1 }],
    task_counts: { sync: 1, source: 1, compiler: 1 },
  })
  expect((await find('prices ZEBRA')).tasks.map(({ name }) => name)).toEqual([source.name, 'Anything'])
  expect((await find('prices giraffe')).tasks).toEqual([])
})

test('the id of a task finds it; of a compiler configuration, the id on its page', async () => {
  const task = await aSyncTask(app.db, { name: 'By its number' })
  const config = await aConfig(app.db, { name: 'Numbered configuration' })
  expect((await find(String(task.id))).tasks.map(({ name }) => name)).toContain('By its number')
  expect((await find(String(config.id))).tasks.map(({ name }) => name)).toContain('Numbered configuration')
})

test('a search returns at most its limit, and counts all matches of each category', async () => {
  const { id } = await aType(app.db, { name: 'Many' })
  for (let n = 0; n < 5; n += 1) await aSyncTask(app.db, { name: `Walrus ${n}`, task_type_id: id })
  const source = await aSourceTask(app.db, { name: 'With a walrus' })
  const found = await find('walrus', 2)
  expect(found.tasks.map(({ name }) => name)).toEqual(['Walrus 0', 'Walrus 1'])
  expect(found.task_counts).toEqual({ sync: 5, source: 1, compiler: 0 })
  expect((await find('with walrus', 1)).tasks.map((task) => task.id)).toEqual([source.id])
})

test('the signs of a pattern are searched as they are', async () => {
  await aSyncTask(app.db, { name: String.raw`100% of_a\b` })
  await aSyncTask(app.db, { name: '1000 ofXa' })
  for (const text of ['100%', 'of_a', String.raw`a\b`])
    expect((await find(text)).tasks.map(({ name }) => name)).toEqual([String.raw`100% of_a\b`])
})

test('a blank search is refused by name, and a search needs a session', async () => {
  const blank = await ada.request('GET', '/api/search?search=%20')
  expect(blank.statusCode).toBe(400)
  expect(blank.json()).toMatchObject({ field: 'search' })
  expect((await app.app.inject('/api/search?search=zebra')).statusCode).toBe(401)
})
