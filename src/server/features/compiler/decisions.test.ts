import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { CompiledRecordDetail, compilerRecords } from '../../../contract/compiler/records.ts'
import { compilerDecisions } from '../../../contract/decisions/calls.ts'

type Cell = string | number | boolean | null

const COLUMNS = ['SKU', 'Colour', 'Price']
let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }
let master: number
let supplier: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
})

async function catalogue(rows: Cell[][], more: Cell[][]) {
  master = await aSource(app.db, COLUMNS, rows, 'Master')
  supplier = await aSource(app.db, COLUMNS, more, 'Supplier')
  config = await aMerge(app.db, [master, supplier])
  await compile()
}

/** Six records: two pairs of colours disagree, one of them in three records, and one price. */
const six = () =>
  catalogue(
    [
      ['A', 'blk', 1],
      ['B', 'blk', 1],
      ['C', 'blk ', 1],
      ['D', 'red', 1],
      ['E', 'green', 1],
      ['F', null, 1],
    ],
    [
      ['A', 'Black', 1],
      ['B', 'Black', 2],
      ['C', 'Black', 1],
      ['D', 'rouge', 1],
      ['E', ' green ', 1],
      ['F', 'white', null],
    ],
  )

async function compile(more: object = {}) {
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id, ...more })
  expect(reply.statusCode, reply.body).toBe(200)
}
const path = (what: string) => `/api/compiler/configs/${config.id}/${what}`
async function get(what: string) {
  const reply = await ada.request('GET', path(what))
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const queue = async (query = '') =>
  compilerDecisions.disagreements.reply.parse(await get(`disagreements?${query}`))
const rules = async (query = '') => compilerDecisions.decisions.reply.parse(await get(`decisions?${query}`))
const open = async (query = '') =>
  (await queue(query)).data.map(({ field, records, options }) => [
    field,
    records,
    options.map(({ text, wins }) => `${text} ${wins}`),
  ])
async function post(method: 'PUT' | 'POST', what: string, body: object) {
  const reply = await ada.request(method, path(what), body)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const decide = async (body: object) =>
  compilerDecisions.decide.reply.parse(await post('PUT', 'decisions', body))
const blk = { field: 'Colour', texts: ['blk', 'Black'], text: 'Black' }
async function colours() {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  return compilerRecords.data.reply.parse(reply.json()).data.map(({ Colour }) => Colour)
}
async function detail(sku: string, name = 'Colour') {
  const reply = await ada.request('GET', `/api/compiler/data/${sku}?compiler_config_id=${config.id}`)
  return CompiledRecordDetail.parse(reply.json()).fields.find((field) => field.name === name)
}
const lineageOf = async (sku: string) =>
  (await ada.request('GET', `/api/lineage?compiler_config_id=${config.id}&sku=${sku}&field=Colour`)).body

test('disagreements are listed with their values, sources and records, the most frequent first', async () => {
  await six()
  const { data, counts, fields, sources, total_count } = await queue()
  expect(data.map(({ field, records, skus }) => [field, records, skus])).toEqual([
    ['Colour', 3, ['A', 'B', 'C']],
    ['Price', 1, ['B']],
    ['Colour', 1, ['D']],
  ])
  expect(data[0]?.options).toEqual([
    { text: 'blk', wins: 3, sources: [{ source_task_id: master, name: 'Master' }] },
    { text: 'Black', wins: 0, sources: [{ source_task_id: supplier, name: 'Supplier' }] },
  ])
  expect({ counts, fields, total_count }).toEqual({
    counts: { open: 3, decided: 0, rules: 0 },
    fields: ['Colour', 'Price'],
    total_count: 3,
  })
  expect(sources.map(({ name }) => name)).toEqual(['Master', 'Supplier'])
  expect(await open('field=Price')).toEqual([['Price', 1, ['1 1', '2 0']]])
  expect(await open('text=ROUG')).toEqual([['Colour', 1, ['red 1', 'rouge 0']]])
  const behind = await ada.request(
    'GET',
    `/api/compiler/data?compiler_config_id=${config.id}&disagreement=${data[0]?.id}`,
  )
  expect(compilerRecords.data.reply.parse(behind.json()).data.map(({ sku }) => sku)).toEqual(['A', 'B', 'C'])
  const { data: disputes } = compilerDecisions.disputes.reply.parse(await get('disputes'))
  expect(
    disputes.map(({ field, records, unlisted, decision }) => [field, records, unlisted, decision]),
  ).toEqual([
    ['Colour', 4, 0, null],
    ['Price', 1, 0, null],
  ])
})

test('a decided value is used with the next compile wherever sources have just these values, and the record and lineage name the rule', async () => {
  await six()
  expect(await decide({ values: [blk], reason: 'House style' })).toMatchObject({ set: 1, replaced: 0 })
  expect(await colours()).toEqual(['blk', 'blk', 'blk ', 'red', 'green', 'white'])
  expect((await queue()).counts).toEqual({ open: 2, decided: 1, rules: 1 })
  expect((await rules()).data).toMatchObject([
    { records: null, author: 'ada@example.com', reason: 'House style' },
  ])
  await compile()
  expect(await colours()).toEqual(['Black', 'Black', 'Black', 'red', 'green', 'white'])
  expect(await detail('A')).toMatchObject({
    value: 'Black',
    source: { name: 'Supplier' },
    decision: { sentence: 'Colour: “Black” where sources have “Black”, “blk”', author: 'ada@example.com' },
  })
  expect(await detail('D')).toMatchObject({ value: 'red', decision: null })
  expect(await lineageOf('A')).toContain(
    'A rule that ada@example.com set decided between the sources: Colour: “Black” where',
  )
  expect(await lineageOf('D')).not.toContain('A rule that')
  expect((await rules()).data).toMatchObject([{ records: 3 }])
  // Other values are another disagreement.
  await aCopy(app.db, supplier, COLUMNS, [['A', 'noir', 1]])
  await compile()
  expect(await open()).toEqual([['Colour', 1, ['blk 1', 'noir 0']]])
  expect((await colours())[0]).toBe('blk')
})

test('a preferred source wins whenever it has a value, also over the order of the field, until the rule is removed', async () => {
  await six()
  await app.db
    .updateTable('compiler_configs')
    .set({ field_priorities: JSON.stringify([{ field: 'Colour', source_task_ids: [master] }]) })
    .where('id', '=', config.id)
    .execute()
  await decide({ sources: [{ field: 'Colour', source_task_id: supplier }] })
  await compile()
  expect(await colours()).toEqual(['Black', 'Black', 'Black', 'rouge', ' green ', 'white'])
  expect(await detail('D')).toMatchObject({
    decision: { sentence: 'Colour: always “Supplier” if it has a value' },
  })
  expect(await lineageOf('D')).toContain('Colour: always “Supplier” if it has a value')
  const [rule] = (await rules()).data
  expect(rule).toMatchObject({ records: 4, source: { name: 'Supplier' }, texts: null })
  expect(await open()).toEqual([['Price', 1, ['1 1', '2 0']]])
  // A rule about these values is more exact.
  await decide({ values: [{ ...blk, text: 'blk' }] })
  await compile()
  expect(await colours()).toEqual(['blk', 'blk', 'blk ', 'rouge', ' green ', 'white'])
  expect(await post('POST', 'decisions/remove', { ids: [rule?.id] })).toEqual({ removed: 1 })
  expect(await post('POST', 'decisions/remove', { ids: [rule?.id] })).toEqual({ removed: 0 })
  await compile()
  expect(await colours()).toEqual(['blk', 'blk', 'blk ', 'red', 'green', 'white'])
  expect((await rules('state=ended')).data).toMatchObject([
    { end_reason: 'removed', ended_by: 'ada@example.com' },
  ])
})

test('the fields of a group still come from one source: only a source can be preferred for them', async () => {
  await six()
  await app.db
    .updateTable('compiler_configs')
    .set({ field_groups: JSON.stringify([['Colour', 'Price']]) })
    .where('id', '=', config.id)
    .execute()
  await compile()
  const [first] = (await queue()).data
  expect(first?.group).toEqual(['Price'])
  const refused = await ada.request('PUT', path('decisions'), { values: [blk] })
  expect([refused.statusCode, refused.json().message]).toEqual([
    400,
    '“Colour” comes from one source together with “Price”. Prefer a source for it instead.',
  ])
  await decide({ sources: [{ field: 'Colour', source_task_id: supplier }] })
  await compile()
  expect(await detail('B')).toMatchObject({ value: 'Black', decision: { id: expect.any(Number) } })
  expect(await detail('B', 'Price')).toMatchObject({ value: 2, decision: { id: expect.any(Number) } })
  expect(await open()).toEqual([])
})

test('a selection is decided for one source or as the records are; a change is undone as a whole, and everything is audited', async () => {
  await six()
  const { batch } = await decide({ values: [{ ...blk, text: 'blk' }] })
  expect(batch).toEqual(expect.any(Number))
  const all = compilerDecisions.decideSelection.reply.parse(
    await post('POST', 'decisions/selection', { filters: { field: 'Colour' }, source_task_id: supplier }),
  )
  expect(all).toMatchObject({ set: 1, skipped: 0 })
  const replacing = await decide({ values: [blk] })
  expect(replacing).toMatchObject({ set: 1, replaced: 1 })
  expect(await decide({ values: [blk] })).toEqual({
    batch: null,
    set: 0,
    replaced: 0,
    unchanged: 1,
    skipped: 0,
  })
  await compile()
  expect(await colours()).toEqual(['Black', 'Black', 'Black', 'rouge', 'green', 'white'])
  expect(await post('POST', 'decisions/undo', { batch: replacing.batch })).toEqual({ ended: 1, restored: 1 })
  expect(await post('POST', 'decisions/undo', { batch: all.batch })).toEqual({ ended: 1, restored: 0 })
  await compile()
  expect(await colours()).toEqual(['blk', 'blk', 'blk ', 'red', 'green', 'white'])
  expect(await post('POST', 'decisions/selection', { filters: {}, source_task_id: null })).toMatchObject({
    set: 2,
    skipped: 0,
  })
  expect(await open()).toEqual([])
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where action like '%decisions' and object_id = ${String(config.task_id)} order by id`.execute(
    app.db,
  )
  expect(rows.map(({ action }) => action)).toEqual([
    ...[
      'set_decisions',
      'set_decisions',
      'set_decisions',
      'undo_decisions',
      'undo_decisions',
      'set_decisions',
    ],
  ])
})

test('invalid decisions name field and value', async () => {
  await six()
  const refused = async (body: object) => {
    const reply = await ada.request('PUT', path('decisions'), body)
    expect(reply.statusCode).toBe(400)
    const { field, message } = reply.json()
    return [field, message]
  }
  expect(await refused({ values: [{ ...blk, field: 'Size' }] })).toEqual([
    'field',
    'The records have no field “Size”. Name one of their fields.',
  ])
  expect(await refused({ values: [{ ...blk, text: 'noir' }] })).toEqual([
    'text',
    '“noir” is not one of the values that disagree. Choose one of them.',
  ])
  expect(await refused({ values: [{ ...blk, texts: ['Black', ' Black'] }] })).toEqual([
    'texts',
    'The values do not disagree: name at least two different ones.',
  ])
  expect(await refused({ sources: [{ field: 'Colour', source_task_id: 2_000_000_000 }] })).toEqual([
    'source_task_id',
    'The configuration does not compile this source. Choose one of its sources.',
  ])
  expect(await refused({ values: [blk, blk] })).toEqual([
    'field',
    'The same about “Colour” is decided twice. Decide it once.',
  ])
})

test('overridden fields are no disagreement, and a compile of new records keeps those of existing ones', async () => {
  await six()
  await ada.request('PUT', path('overrides'), { values: [{ sku: 'D', field: 'Colour', value: 'Red' }] })
  await compile()
  expect(await open('field=Colour')).toEqual([['Colour', 3, ['blk 3', 'Black 0']]])
  await aCopy(app.db, supplier, COLUMNS, [
    ['A', 'Black', 1],
    ['G', 'Black', 1],
  ])
  await aCopy(app.db, master, COLUMNS, [
    ['A', 'blk', 1],
    ['G', 'blk', 1],
  ])
  await compile({ overwrite: false })
  expect(await open('field=Colour')).toEqual([['Colour', 4, ['blk 1', 'Black 0']]])
  expect((await queue('field=Colour')).data[0]?.skus).toEqual(['A', 'B', 'C'])
})

test('values that are too long are counted by source only', async () => {
  const long = 'x'.repeat(201)
  await catalogue([['A', long, 1]], [['A', 'short', 1]])
  expect(await open()).toEqual([])
  const { data } = compilerDecisions.disputes.reply.parse(await get('disputes'))
  expect(data).toMatchObject([{ field: 'Colour', records: 1, unlisted: 1 }])
})

test('100,000 disagreements are listed in pages by their index, the most frequent first, and decided', async () => {
  const count = 100_000
  const two = (colour: string): Cell[][] => [
    ['T1', colour, 1],
    ['T2', colour, 1],
  ]
  await catalogue(two('blk'), two('Black'))
  for (const [task, letter] of [
    [master, 'm'],
    [supplier, 's'],
  ] as const)
    await sql`
      with version as (update snapshots set row_count = ${count + 2} where id = (select snapshot_id from tasks where id = ${task}) returning id)
      insert into snapshot_rows (snapshot_id, row_no, cells)
      select version.id, n + 3, jsonb_build_array('S' || n, ${letter}::text || ' ' || n, 1) from version, generate_series(0, ${count - 1}::int) n`.execute(
      app.db,
    )
  await sql`update compiled_versions set merged_from = null`.execute(app.db)
  await compile()
  const { total_count, data, counts } = await queue('limit=2')
  expect(data.map(({ records }) => records)).toEqual([2, 1])
  expect([total_count, counts.open]).toEqual([count, count])
  const { data: disputes } = compilerDecisions.disputes.reply.parse(await get('disputes'))
  expect(disputes).toMatchObject([{ records: count + 2, unlisted: 1 }])
  const wanted = { filters: { text: 's 555' }, source_task_id: supplier }
  expect(await post('POST', 'decisions/selection', wanted)).toMatchObject({ set: 111, skipped: 0 })
  await compile()
  expect((await queue('limit=1')).counts).toEqual({ open: count - 111, decided: 111, rules: 111 })
  expect(await detail('S55512')).toMatchObject({
    value: 's 55512',
    decision: { sentence: expect.any(String) },
  })
  expect(await detail('S1')).toMatchObject({ value: 'm 1', decision: null })
  await sql`analyze compiled_disagreements`.execute(app.db)
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select id from compiled_disagreements where snapshot_id = (select snapshot_id from tasks where id = ${config.task_id})
    order by records desc, id limit 20`.execute(app.db)
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('compiled_disagreements_list_idx')
}, 120_000)
