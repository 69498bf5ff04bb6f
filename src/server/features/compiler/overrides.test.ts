import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { form, formType } from '../../../../test/fixtures/form.ts'
import { CompiledRecordDetail, compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerOverrides, OverrideFileReply } from '../../../contract/overrides/calls.ts'

type Cell = string | number | boolean | null

const COLUMNS = ['SKU', 'Colour', 'Price']
let app: TestApp
let ada: SignedIn
let bob: SignedIn
let config: { id: number; task_id: number }
let master: number
let supplier: number

beforeAll(async () => {
  app = await testApp({ env: { SCHEDULE_TIME_ZONE: 'UTC' } })
  ada = await app.signIn('ada@example.com')
  bob = await app.signIn('bob@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
})

async function catalogue(rows: Cell[][], more: Cell[][] = []) {
  master = await aSource(app.db, COLUMNS, rows, 'Master')
  supplier = await aSource(app.db, COLUMNS, more, 'Supplier')
  config = await aMerge(app.db, [master, supplier])
  await compile()
}

async function compile(more: object = {}) {
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id, ...more })
  expect(reply.statusCode, reply.body).toBe(200)
}
const path = () => `/api/compiler/configs/${config.id}/overrides`
const put = (values: object[], rest: object = {}, by = ada) => by.request('PUT', path(), { values, ...rest })
async function set(sku: string, value: Cell, rest: object = {}, field = 'Price') {
  const reply = await put([{ sku, field, value }], rest)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerOverrides.set.reply.parse(reply.json())
}
async function list(query = '') {
  const reply = await ada.request('GET', `${path()}?${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return compilerOverrides.list.reply.parse(reply.json())
}
const states = async () => (await list()).data.map(({ sku, state, note }) => [sku, state, note])
async function post(what: string, body: object) {
  const reply = await ada.request('POST', `${path()}/${what}`, body)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
async function detail(sku: string, name = 'Price') {
  const reply = await ada.request('GET', `/api/compiler/data/${sku}?compiler_config_id=${config.id}`)
  const { fields } = CompiledRecordDetail.parse(reply.json())
  return fields.find((field) => field.name === name)
}
async function records() {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  return compilerRecords.data.reply.parse(reply.json()).data
}
const prices = async () => (await records()).map(({ sku, Price }) => [sku, Price])
async function importFile(text: string, apply = false) {
  const reply = await app.app.inject({
    method: 'POST',
    url: `${path()}/import_csv`,
    headers: { ...ada.headers, 'content-type': formType },
    payload: Buffer.concat([
      Buffer.from(`--border\r\ncontent-disposition: form-data; name="apply"\r\n\r\n${apply}\r\n`),
      form({ content: text, filename: 'overrides.csv' }),
    ]),
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return OverrideFileReply.parse(reply.json())
}

test('a value that a person sets wins over every source, shows its author and reason, and survives compiles', async () => {
  await catalogue([['A', 'red', 5]], [['A', 'blue', 6]])
  await set('A', 7, { reason: 'Agreed by phone' })
  expect(await detail('A')).toMatchObject({
    value: 5,
    override: null,
    live_override: { value: 7, note: 'Applies from the next compile on.' },
  })
  for (let n = 0; n < 2; n += 1) {
    await compile()
    expect(await detail('A')).toMatchObject({
      value: 7,
      override: { value: 7, author: 'ada@example.com', reason: 'Agreed by phone', state: 'active' },
      raw: { name: 'Master', value: 5 },
      others: [{ name: 'Supplier', value: 6 }],
    })
  }
  await aCopy(app.db, master, COLUMNS, [['A', 'green', 5]])
  await compile()
  expect(await prices()).toEqual([['A', 7]])
  const file = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}&overrides=true`)
  expect(file.body).toContain('Price: set by ada@example.com (Agreed by phone)')
  const plain = await ada.request('GET', `/api/compiler/export?compiler_config_id=${config.id}`)
  expect(plain.body).not.toContain('Agreed by phone')
  const lineage = await ada.request('GET', `/api/lineage?compiler_config_id=${config.id}&sku=A&field=Price`)
  expect(lineage.body).toContain(
    'ada@example.com set this value in place of what the sources have (Agreed by phone).',
  )
})

test('an override is for review when a source that lost changes its value, until it is kept or dropped', async () => {
  await catalogue([['A', 'red', 5]], [['A', 'blue', 6]])
  await set('A', 7)
  await compile()
  await aCopy(app.db, supplier, COLUMNS, [['A', 'blue', 8]])
  await compile()
  const [override] = (await list('state=review')).data
  expect(override).toMatchObject({ changes: [{ name: 'Supplier', from: 6, to: 8 }] })
  expect(await prices()).toEqual([['A', 7]])
  expect(await post('decide', { ids: [override?.id], decision: 'keep' })).toMatchObject({ changed: 1 })
  await compile()
  expect(await states()).toEqual([['A', 'active', 'Wins over all sources.']])
  await aCopy(app.db, master, COLUMNS, [['A', 'red', null]])
  await compile()
  expect((await list('state=review')).total_count).toBe(1)
  await post('decide', { ids: [override?.id], decision: 'drop' })
  await compile()
  expect(await prices()).toEqual([['A', 8]])
  expect(await states()).toEqual([['A', 'ended', 'Dropped by ada@example.com.']])
  // a repeated decision changes nothing
  expect(await post('decide', { ids: [override?.id], decision: 'drop' })).toMatchObject({ changed: 0 })
  expect(await post('decide', { ids: [override?.id], decision: 'restore' })).toMatchObject({ changed: 1 })
  await compile()
  expect(await prices()).toEqual([['A', 7]])
})

test('a change between the last compile and the override is not missed', async () => {
  await catalogue([['A', 'red', 5]])
  await aCopy(app.db, master, COLUMNS, [['A', 'red', 6]])
  await set('A', 7)
  await compile()
  expect((await list()).data[0]).toMatchObject({
    state: 'review',
    changes: [{ name: 'Master', from: 5, to: 6 }],
  })
})

test('an override ends by itself with a note when the winning source comes to say the same', async () => {
  await catalogue([['A', 'red', 5]], [['A', 'blue', 6]])
  await set('A', 7)
  await compile()
  await aCopy(app.db, supplier, COLUMNS, [['A', 'blue', 7]])
  await compile()
  expect((await list()).data[0]).toMatchObject({ state: 'review' })
  await aCopy(app.db, master, COLUMNS, [['A', 'red', 7]])
  await compile()
  expect(await states()).toEqual([['A', 'ended', 'Ended by itself: the sources have the same value.']])
  expect(await detail('A')).toMatchObject({ value: 7, override: null, live_override: null })
})

test('a compile that waits for an approval settles no override; once accepted, the next compile does', async () => {
  await catalogue([['A', 'red', 5]])
  await set('A', 7)
  await compile()
  expect(
    (await ada.request('PUT', `/api/compiler/configs/${config.id}`, { approval_percent: 0 })).statusCode,
  ).toBe(200)
  await aCopy(app.db, master, COLUMNS, [['A', 'green', 7]])
  await compile()
  expect(await states()).toEqual([['A', 'active', expect.any(String)]])
  const { waiting_snapshot_id } = await app.db
    .selectFrom('tasks')
    .select('waiting_snapshot_id')
    .where('id', '=', config.task_id)
    .executeTakeFirstOrThrow()
  const version = String(waiting_snapshot_id)
  const accepted = await ada.request('POST', `/api/approvals/${config.task_id}/approve`, { version })
  expect(accepted.statusCode, accepted.body).toBe(200)
  expect(await prices()).toEqual([['A', 7]])
  await compile()
  expect(await states()).toEqual([['A', 'ended', 'Ended by itself: the sources have the same value.']])
})

test('a SKU that no source has is kept and listed; 007 and 7 are two SKUs', async () => {
  await catalogue([
    ['7', 'red', 5],
    ['B', 'red', 1],
  ])
  await set(' 007 ', 9)
  await compile()
  expect(await prices()).toEqual([
    ['7', 5],
    ['B', 1],
  ])
  expect((await list('state=waiting')).data).toMatchObject([
    { sku: '007', found: 'no_sku', note: 'No source has this SKU. It applies when one does.' },
  ])
  await aCopy(app.db, supplier, COLUMNS, [['007', 'blue', 4]])
  await compile()
  expect(await prices()).toEqual([
    ['7', 5],
    ['B', 1],
    ['007', 9],
  ])
})

test('an end date takes effect with the next compile, in the time zone of schedules', async () => {
  await catalogue([['A', 'red', 5]])
  const { rows } = await sql<{
    today: string
  }>`select (now() at time zone 'UTC')::date::text as today`.execute(app.db)
  const today = rows[0]?.today ?? ''
  await set('A', 7, { ends_on: today })
  await compile()
  expect(await prices()).toEqual([['A', 7]])
  await sql`update compiler_overrides set ends_on = ends_on - 1`.execute(app.db)
  expect(await prices()).toEqual([['A', 7]])
  // a compile that keeps existing records keeps the value, too
  await compile({ overwrite: false })
  expect(await detail('A')).toMatchObject({ value: 7, override: { value: 7 } })
  await compile()
  expect(await prices()).toEqual([['A', 5]])
  expect(await states()).toEqual([['A', 'ended', 'Ended on its end date.']])
  const past = await put([{ sku: 'A', field: 'Price', value: 1 }], { ends_on: '2020-01-31' })
  expect([past.statusCode, past.json().message]).toEqual([
    400,
    '2020-01-31 is over. Choose today or a later day.',
  ])
})

test('an override is checked, but neither normalised nor kept out', async () => {
  await catalogue([['A', ' red ', 5]])
  const settings = {
    field_checks: [{ field: 'Price', severity: 'error', kind: 'range', min: 1, max: 10, keep_out: 'blank' }],
    field_rules: [{ field: 'Colour', steps: [{ kind: 'trim' }, { kind: 'case', to: 'upper' }] }],
  }
  expect((await ada.request('PUT', `/api/compiler/configs/${config.id}`, settings)).statusCode).toBe(200)
  await set('A', 99)
  await set('A', ' blue ', {}, 'Colour')
  await compile()
  expect(await detail('A')).toMatchObject({
    value: 99,
    error: true,
    failures: [expect.stringContaining('Price')],
  })
  expect(await detail('A', 'Colour')).toMatchObject({ value: ' blue ' })
  // The source says the same, but its value would be kept out.
  await aCopy(app.db, master, COLUMNS, [['A', 'blue', 99]])
  await compile()
  expect(await detail('A')).toMatchObject({ value: 99, override: { state: 'review' } })
  // The normalised value counts.
  await set('A', 'BLUE', {}, 'Colour')
  await compile()
  expect(await detail('A', 'Colour')).toMatchObject({ value: 'BLUE', override: null })
})

test('of two people who set one cell at once, the second is told', async () => {
  await catalogue([['A', 'red', 5]])
  const values = (value: number) => [{ sku: 'A', field: 'Price', value, replaces: null }]
  const replies = await Promise.all([put(values(7)), put(values(8), {}, bob)])
  expect(replies.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const lost = replies.find(({ statusCode }) => statusCode === 409)
  expect(lost?.json().message).toMatch(/@example.com set another value for this field meanwhile/)
  expect((await list('state=live')).total_count).toBe(1)
  // The same request again changes nothing.
  const [{ value = null } = {}] = (await list()).data
  const again = await put([{ sku: 'A', field: 'Price', value, replaces: null }])
  expect(again.json()).toEqual({ batch: null, set: 0, replaced: 0, unchanged: 1 })
})

test('a change is undone as a whole: what it replaced applies again', async () => {
  await catalogue([
    ['A', 'red', 5],
    ['B', 'red', 5],
  ])
  await set('A', 7)
  const { batch } = compilerOverrides.setSelection.reply.parse(
    await post('selection', { filters: {}, field: 'Price', value: '9', reason: 'Sale' }),
  )
  await compile()
  // Prices are numbers, so the text is one.
  expect(await prices()).toEqual([
    ['A', 9],
    ['B', 9],
  ])
  expect(await post('undo', { batch })).toMatchObject({ ended: 2, restored: 1 })
  expect(await post('undo', { batch })).toMatchObject({ ended: 0, restored: 0 })
  await compile()
  expect(await prices()).toEqual([
    ['A', 7],
    ['B', 5],
  ])
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where action like '%override%' order by id`.execute(app.db)
  expect(rows.map(({ action }) => action).slice(-3)).toEqual([
    'set_overrides',
    'set_overrides',
    'undo_overrides',
  ])
})

test('an override of a field that no source has any more waits, and an unknown field is refused', async () => {
  await catalogue([['A', 'red', 5]])
  await set('A', 7)
  await aCopy(app.db, master, ['SKU', 'Colour'], [['A', 'red']])
  await aCopy(app.db, supplier, ['SKU', 'Colour'], [])
  await compile()
  expect((await list('state=waiting')).data).toMatchObject([{ found: 'no_field', state: 'active' }])
  const reply = await put([{ sku: 'A', field: 'Weight', value: 1 }])
  expect([reply.statusCode, reply.json().message]).toEqual([
    400,
    'The records have no field “Weight”. Name one of their fields.',
  ])
  await aCopy(app.db, master, COLUMNS, [['A', 'red', 5]])
  await compile()
  expect(await prices()).toEqual([['A', 7]])
})

test('a value longer than a cell is refused, and a long SKU is not', async () => {
  await catalogue([['A', 'red', 5]])
  const long = await put([{ sku: 'A', field: 'Colour', value: 'x'.repeat(50_001) }])
  expect([long.statusCode, long.body]).toEqual([400, expect.stringContaining('at most 50,000 characters')])
  await set('A', 'x'.repeat(50_000), {}, 'Colour')
  await set('💠'.repeat(500), 1)
  await compile()
  expect(String((await records())[0]?.Colour)).toHaveLength(50_000)
})

test('a file is previewed, then applied; its export is the same file', async () => {
  await catalogue([
    ['A', 'red', 5],
    ['B', 'red', 6],
  ])
  await set('A', 7)
  const text =
    'sku,field,value,reason,ends_on\nA,Price,8,Sale,\nB,Price,9,,2999-12-31\n007,Colour,blue,,\nA,Weight,1,,\nB,Price,1,,\nA,Colour,x,,soon\n'
  const preview = await importFile(text)
  expect(preview).toMatchObject({ batch: null, rows: 6, set: 3, replaced: 1, no_sku: 1, refused: 3 })
  expect(preview.first[0]).toEqual({ sku: 'A', field: 'Price', before: 5, after: 8, reason: 'Sale' })
  expect(preview.errors.map(({ row, field }) => [row, field])).toEqual([
    [5, 'field'],
    [6, 'sku'],
    [7, 'ends_on'],
  ])
  expect((await list('state=live')).total_count).toBe(1)
  expect(await importFile(text, true)).toMatchObject({ batch: expect.any(Number), set: 3, replaced: 1 })
  await compile()
  expect(await prices()).toEqual([
    ['A', 8],
    ['B', 9],
  ])
  const file = await ada.request('GET', `${path()}/export_csv?state=live`)
  expect(await importFile(file.body, true)).toMatchObject({ batch: null, set: 0, unchanged: 3, refused: 0 })
})

test('50,000 overrides by CSV are set, applied and undone', async () => {
  const rows = Array.from({ length: 50_000 }, (_, n): Cell[] => [`S${n}`, 'red', n])
  await catalogue(rows.slice(0, 10_000))
  const text = ['sku,field,value', ...rows.map(([sku]) => `${sku},Price,-1`)].join('\n')
  const { batch } = await importFile(text, true)
  expect((await list()).counts.active).toBe(50_000)
  await compile()
  const [first] = await records()
  expect(first?.Price).toBe(-1)
  expect((await list('state=waiting')).total_count).toBe(40_000)
  expect(await post('undo', { batch })).toMatchObject({ ended: 50_000, restored: 0 })
}, 300_000)

test('the list is filtered by state, field, author and text', async () => {
  await catalogue([['A', 'red', 5]])
  await set('A', 7, { reason: 'Agreed by phone' })
  await put([{ sku: 'B', field: 'Colour', value: '100 %' }], {}, bob)
  const skus = async (query: string) => (await list(query)).data.map(({ sku }) => sku)
  expect(await skus('')).toEqual(['B', 'A'])
  expect(await skus('field=Colour')).toEqual(['B'])
  expect(await skus('author=ada%40example.com')).toEqual(['A'])
  expect(await skus('text=PHONE')).toEqual(['A'])
  expect(await skus('text=0%20%25')).toEqual(['B'])
  expect(await skus('state=ended')).toEqual([])
  const { fields, authors, counts } = await list()
  expect({ fields, authors, counts }).toEqual({
    fields: ['Colour', 'Price'],
    authors: ['ada@example.com', 'bob@example.com'],
    counts: { active: 2, review: 0, waiting: 0, ended: 0 },
  })
})
