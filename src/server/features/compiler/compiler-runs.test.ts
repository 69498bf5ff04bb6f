import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aConfig, aRun, aSyncTask } from '../../../../test/fixtures/factories.ts'
import { compilerRuns } from '../../../contract/compiler/runs.ts'
import { runs } from '../../../contract/runs/calls.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
const at = (rest: string) => `/api/compiler/configs/${config.id}/${rest}`

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  // so that no id of a configuration is by chance its task's
  await aSyncTask(app.db)
  config = await aConfig(app.db)
})

const line = (message: string) =>
  app.db.insertInto('log_entries').values({ task_id: config.task_id, level: 'INFO', message }).execute()

test('a configuration shows the id of its runs and its state', async () => {
  const [listed] = (await ada.request('GET', '/api/compiler/configs')).json()
  expect(listed).toMatchObject(config)
  const states = compilerRuns.states.reply.parse((await ada.request('GET', '/api/compiler/states')).json())
  expect(states).toMatchObject([{ id: config.task_id, state: null, progress: null }])
})

test('its compiles are listed newest first, its log is read and cleared, by its own id', async () => {
  const first = await aRun(app.db, config.task_id, { category: 'compiler', state: 'success' })
  const second = await aRun(app.db, config.task_id, { category: 'compiler', state: 'failed' })
  const page = runs.ofCompilerConfig.reply.parse((await ada.request('GET', at('runs'))).json())
  expect(page.runs.map(({ id, category }) => [id, category])).toEqual([
    [second.id, 'compiler'],
    [first.id, 'compiler'],
  ])
  await line('Merging 2 sources')
  const messages = async () =>
    compilerRuns.logs.reply.parse((await ada.request('GET', at('logs'))).json()).map(({ message }) => message)
  expect(await messages()).toEqual(['Merging 2 sources'])
  expect((await ada.request('DELETE', at('logs'))).statusCode).toBe(204)
  expect(await messages()).toEqual([])
})

test('a waiting compile is stopped; without a live one the reply is a warning', async () => {
  await aRun(app.db, config.task_id, { category: 'compiler' })
  expect((await ada.request('POST', at('stop'))).json()).toMatchObject({ status: 'success' })
  expect((await ada.request('POST', at('stop'))).json()).toMatchObject({ status: 'warning' })
})

test('a call that waits for a stopped compile gets "stopped", not "failed"', async () => {
  await aRun(app.db, config.task_id, { category: 'compiler' })
  let isAnswered = false
  const waiting = ada.request('POST', '/api/compiler/compile', { config_id: config.id }).finally(() => {
    isAnswered = true
  })
  // The wait or the stop may arrive first; in either case the waiting call ends with a stopped run.
  while (!isAnswered) await ada.request('POST', at('stop'))
  const reply = await waiting
  expect([reply.statusCode, reply.json().code]).toEqual([422, 'compile_stopped'])
})

test.each([
  ['GET', 'runs'],
  ['GET', 'logs'],
  ['DELETE', 'logs'],
  ['POST', 'stop'],
] as const)('%s %s of a missing configuration is 404', async (method, rest) => {
  const reply = await ada.request(method, `/api/compiler/configs/999999/${rest}`)
  expect([reply.statusCode, reply.json().code]).toEqual([404, 'compiler_task_not_found'])
})

test('warnings of its last compile are acknowledged: it counts as a success until that is taken back', async () => {
  const warning = { id: 'without_sku-1', message: '3 rows of ‘Prices’ without a SKU were left out.' }
  await aRun(app.db, config.task_id, {
    category: 'compiler',
    state: 'warning',
    warnings: JSON.stringify([warning]),
  })
  const states = async () => (await ada.request('GET', '/api/compiler/states')).json()
  const act = (what: string, id = config.id) =>
    ada.request('POST', `/api/compiler/configs/${id}/warnings/${what}`, { warning_ids: [warning.id] })
  expect(await states()).toMatchObject([{ state: 'warning', run_warnings: [{ acknowledged: null }] }])
  expect((await act('acknowledge')).json()).toMatchObject({ status: 'success' })
  expect(await states()).toMatchObject([
    { state: 'success', run_warnings: [{ ...warning, acknowledged: { by: 'ada@example.com' } }] },
  ])
  expect((await act('take_back')).json()).toMatchObject({ status: 'success' })
  expect(await states()).toMatchObject([{ state: 'warning' }])
  const lines = await app.db
    .selectFrom('audit_log')
    .select(['action', 'object_type', 'object_id'])
    .where('action', 'in', ['acknowledge', 'take_back'])
    .execute()
  expect(lines).toEqual(
    ['acknowledge', 'take_back'].map((action) => ({
      action,
      object_type: 'compiler_task',
      object_id: String(config.task_id),
    })),
  )
  for (const what of ['acknowledge', 'take_back']) expect((await act(what, 999_999)).statusCode).toBe(404)
})
