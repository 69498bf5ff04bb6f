import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aSourceTask } from '../../../../test/fixtures/factories.ts'
import { compilerColumns } from '../../../contract/compiler/columns.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let supplier: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  const { db } = app
  const master = await aSource(db, ['SKU', 'Name', 'Price', 'Colour'], [['A-1', 'Pot', null, null]], 'Master')
  const columns = ['sku', 'Name', 'Unit price', 'colour_', 'Stock', 'Remark']
  supplier = await aSource(db, columns, [['A-1', 'pot', 2.5, 'red', 7, 'x']], 'Supplier')
  const others = await aSource(db, ['SKU', 'Stocks', 'Remark'], [['A-1', 3, 'y']], 'Others')
  const empty = await aSourceTask(db)
  config = await aMerge(db, [master, supplier, others, empty.id])
})

const get = async (query = '') => {
  const reply = await ada.request('GET', `/api/compiler/lone_columns?compiler_config_id=${config.id}${query}`)
  expect(reply.statusCode).toBe(200)
  return compilerColumns.loneColumns.reply.parse(reply.json())
}
const name = (body: object, id = config.id) =>
  ada.request('PUT', `/api/compiler/configs/${id}/column_names`, body)

test('columns of a single source are listed with similar fields of other sources, most similar first', async () => {
  const { data, sources, total_count, has_next } = await get()
  expect([total_count, has_next]).toEqual([4, false])
  expect(data.map(({ column, read_as, candidates }) => [column, read_as, candidates])).toEqual([
    ['Unit price', null, [{ field: 'Price', same: false }]],
    ['colour_', null, [{ field: 'Colour', same: true }]],
    ['Stock', null, [{ field: 'Stocks', same: false }]],
    ['Stocks', null, [{ field: 'Stock', same: false }]],
  ])
  // a source without rows has no columns
  expect(sources.map(({ name, has_sku, fields }) => [name, has_sku, fields])).toEqual([
    ['Master', true, ['Unit price', 'colour_', 'Stock', 'Remark', 'Stocks']],
    ['Supplier', true, ['Price', 'Colour', 'Stocks']],
    ['Others', true, ['Name', 'Price', 'Colour', 'Unit price', 'colour_', 'Stock']],
  ])
  expect(await get('&limit=1&offset=1')).toMatchObject({
    data: [{ column: 'colour_' }],
    has_next: true,
    has_prev: true,
  })
})

test('one click maps a column to a field for the next compiles, another undoes it; both count as edits of the configuration', async () => {
  const before = (await ada.request('GET', '/api/compiler/configs')).json()[0]
  const naming = { source_task_id: supplier, column: 'Unit price', field: 'Price' }
  expect((await name({ ...naming, field: 'Cost' })).statusCode).toBe(204)
  expect((await name(naming)).statusCode).toBe(204)
  expect((await get()).data.find(({ column }) => column === 'Unit price')).toMatchObject({ read_as: 'Price' })
  const stale = { description: 'Mine', updated_at: before.updated_at }
  expect((await ada.request('PUT', `/api/compiler/configs/${config.id}`, stale)).statusCode).toBe(409)
  await app.db.deleteFrom('compiler_sources').where('position', '=', 3).execute()
  await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  const record = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  expect(record.json().data[0]).toMatchObject({ Price: 2.5 })
  expect((await name({ ...naming, field: null })).statusCode).toBe(204)
  expect((await ada.request('GET', '/api/compiler/configs')).json()[0].column_names).toEqual([])
  const lines = await app.db
    .selectFrom('audit_log')
    .select('details')
    .where('action', '=', 'name_column')
    .orderBy('id')
    .execute()
  expect(lines.map(({ details }) => details)).toEqual(
    ['Cost', 'Price', null].map((field) => ({ ...naming, field })),
  )
})

test('all columns of a source without a SKU come first: one of them can be read as SKU', async () => {
  const bare = await aSource(app.db, ['SKU code', 'Name'], [['A-1', 'Pot']], 'Bare')
  await app.db
    .updateTable('compiler_sources')
    .set({ source_task_id: bare })
    .where('position', '=', 3)
    .execute()
  const [first, second] = (await get()).data
  expect([first, second]).toMatchObject([
    { source_task_id: bare, column: 'SKU code', candidates: [{ field: 'SKU', same: false }] },
    { source_task_id: bare, column: 'Name', candidates: [] },
  ])
  await name({ source_task_id: bare, column: 'SKU code', field: 'SKU' })
  const { data, sources } = await get()
  expect(sources.at(-1)).toMatchObject({ name: 'Bare', has_sku: true })
  expect(data.filter(({ source_task_id }) => source_task_id === bare)).toMatchObject([
    { column: 'SKU code', read_as: 'SKU' },
  ])
})

test('a task that is not a source of the configuration has no columns in it', async () => {
  const { id } = await aSourceTask(app.db)
  const reply = await name({ source_task_id: id, column: 'a', field: 'b' })
  expect([reply.statusCode, reply.json().field]).toEqual([400, 'column_names'])
  const naming = { source_task_id: supplier, column: 'a', field: 'b' }
  expect((await name(naming, 999_999)).statusCode).toBe(404)
  expect((await name({ ...naming, field: '' })).statusCode).toBe(400)
  expect((await ada.request('GET', '/api/compiler/lone_columns?compiler_config_id=999999')).statusCode).toBe(
    404,
  )
})

test('two users who map columns at once both succeed', async () => {
  const naming = { source_task_id: supplier, field: 'Price' }
  const columns = Array.from({ length: 6 }, (_, n) => `Column ${n}`)
  await Promise.all(columns.map((column) => name({ ...naming, column })))
  const { column_names } = (await ada.request('GET', '/api/compiler/configs')).json()[0]
  expect(column_names.map(({ column }: { column: string }) => column).sort()).toEqual(columns)
})
