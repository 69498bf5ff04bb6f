import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { approvals } from '../../../contract/approvals/calls.ts'
import { compiler } from '../../../contract/compiler/calls.ts'
import { compilerChanges } from '../../../contract/compiler/changes.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let source: number

const HEADER = ['SKU', 'Price']
const FOUR = [
  ['A', 1],
  ['B', 2],
  ['C', 3],
  ['D', 4],
]

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
  source = await aSource(app.db, HEADER, FOUR, 'Prices')
  config = await aMerge(app.db, [source])
  await compile()
  expect((await put({ approval_percent: 25 })).statusCode).toBe(200)
})

const put = (body: object) => ada.request('PUT', `/api/compiler/configs/${config.id}`, body)

async function compile(rows?: (string | number)[][]) {
  if (rows) await aCopy(app.db, source, HEADER, rows)
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(reply.statusCode, reply.body).toBe(200)
}

async function read() {
  const list = compiler.listConfigs.reply.parse((await ada.request('GET', '/api/compiler/configs')).json())
  return list.find(({ id }) => id === config.id)
}

async function skus() {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  return compilerRecords.data.reply.parse(reply.json()).data.map(({ sku, Price }) => `${sku} ${Price}`)
}

async function pending() {
  return approvals.list.reply.parse((await ada.request('GET', '/api/approvals')).json()).approvals
}

const decide = (action: 'approve' | 'reject', version: string) =>
  ada.request('POST', `/api/approvals/${config.task_id}/${action}`, { version })

const lastRun = () =>
  app.db.selectFrom('runs').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test('a compile that changes and removes more than the share waits; it is accepted after its changes were seen', async () => {
  await compile([
    ['A', 9],
    ['B', 2],
    ['C', 3],
  ])
  expect(await skus()).toEqual(['A 1', 'B 2', 'C 3', 'D 4'])
  expect((await lastRun()).state).toBe('warning')
  const [found] = await pending()
  const reason =
    'This compile would change 1 and remove 1 of 4 records, more than 25%. The former records stay until someone accepts the new ones.'
  expect(found).toMatchObject({ kind: 'compile_beyond_limit', reason, task: { config_id: config.id } })
  expect((await read())?.waiting).toMatchObject({ row_count: 3, reason })
  const changes = await ada.request(
    'GET',
    `/api/compiler/changes?compiler_config_id=${config.id}&waiting=true`,
  )
  expect(
    compilerChanges.changes.reply.parse(changes.json()).changes.map(({ kind, sku }) => `${kind} ${sku}`),
  ).toEqual(['gone D', 'changed A'])

  const reply = await decide('approve', found?.version ?? '')
  expect(reply.json()).toEqual({ status: 'success', message: '3 records are current now' })
  expect(await skus()).toEqual(['A 9', 'B 2', 'C 3'])
  expect(await pending()).toEqual([])
  expect((await read())?.waiting).toBeNull()
  // The same approval once more, as by a second click.
  expect((await decide('approve', found?.version ?? '')).statusCode).toBe(404)
  const after = await ada.request('GET', `/api/compiler/changes?compiler_config_id=${config.id}`)
  expect(compilerChanges.changes.reply.parse(after.json()).changes).toHaveLength(2)
})

test('a share that is not exceeded, added records and a first compile do not wait', async () => {
  await compile([['A', 9], ...FOUR.slice(1), ['E', 5]])
  expect(await skus()).toEqual(['A 9', 'B 2', 'C 3', 'D 4', 'E 5'])
  expect(await pending()).toEqual([])
  expect((await lastRun()).state).toBe('success')
})

test('rejected records are discarded, and the same records are not listed again', async () => {
  await compile([['A', 1]])
  const [found] = await pending()
  expect((await decide('reject', found?.version ?? '')).json()).toEqual({
    status: 'success',
    message: 'The waiting records are discarded',
  })
  expect(await skus()).toHaveLength(4)
  await compile()
  expect(await skus()).toHaveLength(4)
  expect(await pending()).toEqual([])
  await compile([['B', 2]])
  expect(await pending()).toHaveLength(1)
})

test('a later compile replaces the waiting one: the former cannot be accepted any more', async () => {
  await compile([['A', 1]])
  const [first] = await pending()
  await compile([['B', 2]])
  const [second] = await pending()
  expect(second?.version).not.toBe(first?.version)
  expect((await decide('approve', first?.version ?? '')).statusCode).toBe(409)
  await compile(FOUR)
  expect(await pending()).toEqual([])
  expect(await skus()).toHaveLength(4)
})

test('two people who decide at once: one decision counts', async () => {
  await compile([['A', 1]])
  const [found] = await pending()
  const replies = await Promise.all([
    decide('approve', found?.version ?? ''),
    decide('reject', found?.version ?? ''),
  ])
  const codes = replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)
  expect(codes[0]).toBe(200)
  expect([404, 409]).toContain(codes[1])
})

test('zero stops every change, blank none; other values are refused', async () => {
  await put({ approval_percent: 0 })
  await compile([['A', 9], ...FOUR.slice(1)])
  expect(await pending()).toHaveLength(1)
  await put({ approval_percent: null })
  await compile([['A', 7]])
  expect(await skus()).toEqual(['A 7'])
  for (const approval_percent of [-1, 101, 2.5, '20'])
    expect((await put({ approval_percent })).json()).toMatchObject({
      errors: [{ field: 'approval_percent', message: expect.stringContaining('0 to 100') }],
    })
})

test('the reply of a compile says that its records wait, and clearing the records ends the waiting', async () => {
  await aCopy(app.db, source, HEADER, [['A', 9]])
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(compiler.compile.reply.parse(reply.json())).toMatchObject({ unique_skus: 1, waits: true })
  expect(await pending()).toHaveLength(1)
  const cleared = await ada.request('DELETE', '/api/compiler/data', { compiler_config_id: config.id })
  expect(cleared.json()).toEqual({ deleted_count: 4 })
  expect(await pending()).toEqual([])
  expect((await read())?.waiting).toBeNull()
  const again = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(again.json().waits).toBeUndefined()
})
