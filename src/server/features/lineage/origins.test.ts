import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, compileHandler } from '../../../../test/fixtures/compiling.ts'
import { aConnection } from '../../../../test/fixtures/connections.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aConfig, aCopy, aRun, aSourceTask, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../contract/lineage/server-messages.ts'

let app: TestApp
let ada: SignedIn
beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn()
})

async function lineageOf(query: Record<string, string>): Promise<Lineage> {
  const reply = await ada.request('GET', `/api/lineage?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return Lineage.parse(reply.json())
}

const header = ['SKU', 'Price']
const rows = [
  ['A', 1],
  ['B', 2],
  ['A', 3],
]

/** A source task whose rows a run has read; `origin` is frozen in the run. */
async function read(name: string, origin: object | null, read_snapshot_id: number | null = null) {
  const { id } = await aSourceTask(app.db, { name })
  const run =
    origin &&
    (await aRun(app.db, id, { category: 'source', state: 'success', definition: JSON.stringify({ origin }) }))
  await aCopy(app.db, id, header, rows)
  const { snapshot_id } = await app.db
    .selectFrom('tasks')
    .select('snapshot_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await app.db
    .updateTable('snapshots')
    .set({ run_id: run?.id ?? null, read_snapshot_id, kind: 'source' })
    .where('id', '=', snapshot_id)
    .execute()
  return { id, run_id: run?.id, snapshot_id: snapshot_id ?? 0 }
}

test('rows of an API are items of its reply in that run, those of a file its rows, those of a database rows of the statement', async () => {
  const url = 'http://127.0.0.1:1/items'
  const api = await aConnection(app.db, 'Shop API', { kind: 'api', url })
  const file = await aConnection(app.db, 'Shop file', { kind: 'api', url, format: 'csv' })
  const database = await aConnection(app.db, 'ERP', {
    kind: 'database',
    engine: 'postgresql',
    host: '127.0.0.1',
    database: 'erp',
    user: 'reader',
    statement: 'select 1',
  })
  const placeOf = async (name: string, provider: string, connection_id: number) => {
    const { id, run_id } = await read(name, { provider, connection_id })
    const { steps } = await lineageOf({ task_id: String(id), row: '2', column: 'Price' })
    expect(steps).toHaveLength(1)
    expect(steps[0]?.run?.id).toBe(run_id)
    return steps[0]?.place
  }
  expect(await placeOf('Api', 'http-api', api)).toMatchObject({
    kind: 'api',
    row: 2,
    text: '‘Price’ of item 2 in the reply of ‘Shop API’',
  })
  expect((await placeOf('File', 'http-api', file))?.text).toBe('‘Price’ in row 2 of the file of ‘Shop file’')
  expect((await placeOf('Erp', 'database', database))?.text).toBe(
    '‘Price’ in row 2 of the statement of ‘ERP’',
  )
})

test('after the run was removed from the history, the task says where it reads', async () => {
  const connection_id = await aConnection(app.db, 'Old API', { kind: 'api', url: 'http://127.0.0.1:1/' })
  const { id } = await read('Old', null)
  await app.db
    .updateTable('source_tasks')
    .set({ source_type: 'api', connection_id })
    .where('task_id', '=', id)
    .execute()
  const { steps } = await lineageOf({ task_id: String(id), row: '1' })
  expect(steps).toMatchObject([{ run: null, place: { text: '‘SKU’ of item 1 in the reply of ‘Old API’' } }])
})

test('a task that reads the rows of another one leads on to that one, and back', async () => {
  const connection_id = await aConnection(app.db, 'First API', { kind: 'api', url: 'http://127.0.0.1:1/' })
  const first = await read('First', { provider: 'http-api', connection_id })
  const second = await read('Second', { provider: 'internal', task_id: first.id }, first.snapshot_id)
  await app.db
    .updateTable('source_tasks')
    .set({ source_type: 'internal', origin_task_id: first.id })
    .where('task_id', '=', second.id)
    .execute()
  const { steps } = await lineageOf({ task_id: String(second.id), row: '3', column: 'Price' })
  expect(steps.map(({ place, text }) => [place?.kind, text])).toEqual([
    ['rows', messages.read_task('Second')],
    ['api', messages.read_source('First')],
  ])
  const { uses } = await lineageOf({ task_id: String(first.id), row: '3', column: 'Price' })
  expect(uses).toMatchObject([{ kind: 'rows', text: '‘Price’ in row 3 of ‘Second’' }])
})

test('of a source row whose SKU a row above has, it is said that no record uses it; a compile of earlier rows is named', async () => {
  const engine = await startEngine(app.database, [compileHandler(app.database)])
  const { id } = await read('Twice', { provider: 'http-api', connection_id: 1 })
  const config = await aMerge(app.db, [id])
  const queued = await engine.queueRun(config.task_id)
  expect(queued.ok).toBe(true)
  await runOf(app.db, config.task_id)
  const usesOf = async (row: number) => (await lineageOf({ task_id: String(id), row: String(row) })).uses
  expect(await usesOf(1)).toMatchObject([{ kind: 'record', record: { sku: 'A', field: 'SKU' } }])
  expect(await usesOf(3)).toMatchObject([{ record: null, text: messages.use_none(config.name) }])
  await aCopy(app.db, id, header, [['Z', 9], ...rows])
  expect(await usesOf(2)).toMatchObject([{ record: null, text: messages.use_outdated(config.name) }])
  // What the record was compiled from is still known.
  const { steps } = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(steps[0]?.record?.sources).toMatchObject([{ state: 'chosen', value: 1, place: { row: 1 } }])
})

test('a task that has not run, and a configuration that was not compiled', async () => {
  const definition = { target_ss_id: 'y'.repeat(20), target_place: '5' }
  const task = await aSyncTask(app.db, { name: 'New', definition })
  const link = `https://docs.google.com/spreadsheets/d/${'y'.repeat(20)}/edit#gid=5&range=A2`
  expect((await lineageOf({ link })).written).toMatchObject({ state: 'not_run', value: null, run: null })
  const status = async (query: Record<string, string>) =>
    (await ada.request('GET', `/api/lineage?${new URLSearchParams(query)}`)).statusCode
  expect(await status({ task_id: String(task.id), row: '1' })).toBe(404)
  const config = await aConfig(app.db)
  expect(await status({ compiler_config_id: String(config.id), sku: 'A' })).toBe(404)
})

test('a copy from before this version says what is not known', async () => {
  const definition = { target_ss_id: 'z'.repeat(20), target_place: '5', owned_columns: 2, owned_start_row: 1 }
  const task = await aSyncTask(app.db, { name: 'Old copy', definition })
  const run = await aRun(app.db, task.id, {
    state: 'success',
    finished_at: new Date(),
    definition: JSON.stringify({
      source_type: 'sheet',
      source_ss_id: 's'.repeat(20),
      source_sheet_name: 'Products',
      source_place: '3',
      excluded_fields: ['Secret'],
    }),
  })
  await aCopy(app.db, task.id, header, rows)
  const link = `https://docs.google.com/spreadsheets/d/${'z'.repeat(20)}/edit#gid=5&range=B3`
  const { written, steps } = await lineageOf({ link })
  expect(written).toMatchObject({ value: 2, run: { id: run.id }, since: null })
  expect(steps).toMatchObject([
    { place: { text: '‘Price’ in row 3 of ‘Products’' }, notes: [messages.letter_unknown] },
  ])
})
