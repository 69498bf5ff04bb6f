import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type SignedIn, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge } from '../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../test/fixtures/engine.ts'
import { aToken, withToken } from '../../../../test/fixtures/tokens.ts'
import { Lineage } from '../../../contract/lineage/calls.ts'
import { lineageServerMessages as messages } from '../../../contract/lineage/server-messages.ts'

const world = copyWorld()
let ada: SignedIn
let send: ReturnType<typeof withToken>
beforeAll(async () => {
  const site = await testApp({ database: world.database, handlers: world.handlers })
  ada = await site.signIn()
  send = withToken(site.app, await aToken(ada, 'read'))
})
beforeEach(() => world.faults())

const ask = (query: Record<string, string>) => send('GET', `/api/lineage?${new URLSearchParams(query)}`)

async function lineageOf(query: Record<string, string>): Promise<Lineage> {
  const reply = await ask(query)
  expect(reply.statusCode, reply.body).toBe(200)
  return Lineage.parse(reply.json())
}

const refusal = async (link: string) => {
  const reply = await ask({ link })
  return [reply.statusCode, reply.json().message]
}

const root = 'https://docs.google.com'
const linkTo = (spreadsheet_id: string, tab: number | string, range: string) =>
  `${root}/spreadsheets/d/${spreadsheet_id}/edit?gid=${tab}#gid=${tab}&range=${range}`

const tabOf = async (task_id: number) => {
  const { target_place } = await world.db
    .selectFrom('sync_tasks')
    .select('target_place')
    .where('task_id', '=', task_id)
    .executeTakeFirstOrThrow()
  return target_place ?? ''
}

const header = ['SKU', 'Secret', 'Name', 'Stock']
const rows = Array.from({ length: 5 }, (_, n) => [`SKU-${n + 1}`, `s${n}`, `Bolt ${n + 1}`, n])

describe('a copy of a sheet', () => {
  test('of chosen and sorted rows, a cell comes from the row and column it had in the source, and goes where it stands now', async () => {
    const { source, target, task } = await world.pair([header, ...rows], [], {
      columns: JSON.stringify([
        { source: 'Stock', name: 'On hand' },
        { source: 'SKU', name: 'Article' },
      ]),
      filter: JSON.stringify({
        match: 'all',
        conditions: [{ column: 'Stock', operator: 'at_least', values: ['2'] }],
      }),
      sort_by: JSON.stringify([{ column: 'Stock', descending: true }]),
      extra_columns: JSON.stringify([{ kind: 'constant', name: 'Shop', value: 'DE' }]),
    })
    await world.run(task)
    const tab = await tabOf(task)
    // The largest stock comes first: SKU-5 in row 6 of the source.
    const stock = await lineageOf({ link: linkTo(target, tab, 'A2') })
    expect(stock.written?.value).toBe(4)
    expect(stock.steps[0]?.place?.text).toBe('D6 of ‘Products’ in ‘Catalogue’')
    const sku = await lineageOf({ link: linkTo(target, tab, 'B4') })
    expect(sku.steps[0]?.place?.text).toBe('A4 of ‘Products’ in ‘Catalogue’')
    const extra = await lineageOf({ link: linkTo(target, tab, 'C2') })
    expect(extra.steps[0]?.notes).toEqual([messages.extra_column('Shop')])
    const forward = async (cell: string) => (await lineageOf({ link: linkTo(source, 100, cell) })).uses
    expect(await forward('A6')).toMatchObject([{ text: 'B2 of ‘Shop’ in ‘Web shop’' }])
    expect(await forward('A2')).toMatchObject([{ text: expect.stringMatching(/leaves this row out$/) }])
    expect(await forward('C6')).toMatchObject([{ text: expect.stringMatching(/leaves column ‘C’ out$/) }])
  })

  test('a cell comes from the cell of the source, also if columns are left out', async () => {
    const preset = await world.db
      .insertInto('sync_presets')
      .values({ name: 'No secrets', excluded_fields: ['Secret'] })
      .returning('id')
      .executeTakeFirstOrThrow()
    const start = { start_row: 2, sync_preset_id: preset.id }
    const { source, target, task } = await world.pair([['Stock list'], header, ...rows], [], start)
    const run = await world.run(task)
    const found = await lineageOf({ link: linkTo(target, await tabOf(task), 'c5') })
    expect(found).toMatchObject({
      title: 'C5 of ‘Shop’ in ‘Web shop’',
      notes: [],
      written: { state: 'value', column: 'Stock', value: 2, run: { id: run.id }, edited: null },
      steps: [{ kind: 'sheet', place: { text: 'D5 of ‘Products’ in ‘Catalogue’', row: 5 } }],
      row: { columns: ['SKU', 'Name', 'Stock'], column: 'Stock' },
    })
    expect(found.steps[0]?.place?.link).toContain(`/spreadsheets/d/${source}/edit#gid=`)
    expect(found.steps[0]?.place?.link).toMatch(/range=D5$/)
    // The same cell, from the copied data.
    expect(await lineageOf({ task_id: String(task), row: '3', column: 'Stock' })).toEqual(found)
    // And forward from the source.
    const forward = await lineageOf({ link: found.steps[0]?.place?.link ?? '' })
    expect(forward).toMatchObject({
      title: 'D5 of ‘Products’ in ‘Catalogue’',
      written: null,
      uses: [{ kind: 'target', link: found.link }],
    })
    const left_out = (found.steps[0]?.place?.link ?? '').replace(/D5$/, 'B5')
    expect((await lineageOf({ link: left_out })).uses).toMatchObject([{ kind: 'target', link: null }])
  })

  test('it is said since which run the cell has its value, and what it was before', async () => {
    const { source, target, task } = await world.pair([header, ...rows])
    const first = await world.run(task)
    const link = async (range: string) => linkTo(target, await tabOf(task), range)
    const since = async (range: string) => (await lineageOf({ link: await link(range) })).written?.since
    expect(await since('D3')).toMatchObject({ run_id: first.id, is_exact: true, former: null })
    await world.write(source, 'Products', [header, rows[0] ?? [], ['SKU-2', 's1', 'Bolt 2', 77]])
    const second = await world.run(task)
    expect(await since('D3')).toMatchObject({ run_id: second.id, is_exact: true, former: 1 })
    // Another cell of the same row, and a run that changed nothing.
    await world.run(task)
    expect(await since('D3')).toMatchObject({ run_id: second.id })
    expect((await since('C3'))?.run_id).toBe(first.id)
    // Where versions are no longer stored, at least since the oldest one.
    await world.db
      .updateTable('plans')
      .set({ former_snapshot_id: null })
      .where('run_id', '=', first.id)
      .execute()
    expect(await since('C3')).toMatchObject({ run_id: first.id, is_exact: false })
  })

  test('a cell that the task does not write is said to be that', async () => {
    const { target, task } = await world.pair([['Title'], [], header, ...rows], [], { start_row: 3 })
    await world.run(task)
    const state = async (range: string) => {
      const { written, steps } = await lineageOf({ link: linkTo(target, await tabOf(task), range) })
      return [written?.state, steps.length]
    }
    expect(await state('A1')).toEqual(['above', 0])
    expect(await state('B3')).toEqual(['header', 1])
    expect(await state('B8')).toEqual(['value', 1])
    expect(await state('B9')).toEqual(['below', 0])
    expect(await state('E5')).toEqual(['outside', 0])
  })
})

describe('links', () => {
  let target = ''
  let tab = ''
  let task = 0
  beforeAll(async () => {
    const pair = await world.pair([header, ...rows])
    target = pair.target
    task = pair.task
    await world.run(task)
    tab = await tabOf(task)
  })

  test.each([
    ['$b$3', 'B3', null],
    ['R3C2', 'B3', null],
    ['Shop!B3', 'B3', null],
    ['B3:B3', 'B3', null],
    ['B3:C9', 'B3', messages.first_of('B3:C9', 'B3')],
    ['B:B', 'B1', messages.first_of('B:B', 'B1')],
    ['3:4', 'A3', messages.first_of('3:4', 'A3')],
  ])('a range %s is read as %s', async (range, cell, note) => {
    const { title, notes } = await lineageOf({ link: linkTo(target, tab, encodeURIComponent(range)) })
    expect([title, notes]).toEqual([`${cell} of ‘Shop’ in ‘Web shop’`, note === null ? [] : [note]])
  })

  test.each([
    ['B7', messages.no_link('B7')],
    ['javascript:alert(1)', messages.no_link('javascript:alert(1)')],
    [`${root}/document/d/${'x'.repeat(20)}/edit#gid=0&range=A1`, /not a link to a cell/],
    [`${root}/spreadsheets/d/${'x'.repeat(20)}/edit`, messages.no_tab],
    [`${root}/spreadsheets/d/${'x'.repeat(20)}/edit#gid=0`, messages.no_range],
    [`${root}/spreadsheets/d/${'x'.repeat(20)}/edit#gid=0&rangeid=12`, messages.range_named],
    [linkTo('x'.repeat(20), 0, 'B0'), messages.range_invalid('B0')],
    [linkTo('x'.repeat(20), 0, 'A1:B2:C3'), messages.range_invalid('A1:B2:C3')],
  ])('%s is refused, with what is wrong', async (link, message) => {
    const reply = await ask({ link })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({
      field: 'link',
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test('an unknown spreadsheet and an unknown tab are 404, a tab that may be that of a task without a run is 409', async () => {
    expect(await refusal(linkTo('x'.repeat(20), 0, 'A1'))).toEqual([404, messages.spreadsheet_unknown])
    expect(await refusal(linkTo(target, 99, 'A1'))).toEqual([404, messages.tab_unknown(['Shop'])])
    const pair = await world.pair([header, ...rows])
    const { name } = await world.db
      .selectFrom('tasks')
      .select('name')
      .where('id', '=', pair.task)
      .executeTakeFirstOrThrow()
    expect(await refusal(linkTo(pair.target, 0, 'A1'))).toEqual([409, messages.tab_not_seen([name])])
  })

  test('a question names one cell in one way', async () => {
    const status = async (query: Record<string, string>) => (await ask(query)).statusCode
    expect(await status({})).toBe(400)
    expect(await status({ link: 'x', task_id: '1', row: '1' })).toBe(400)
    expect(await status({ task_id: String(task) })).toBe(400)
    expect(await status({ compiler_config_id: '1' })).toBe(400)
    expect(await status({ task_id: String(task), row: '99' })).toBe(400)
    expect(await status({ task_id: String(task), row: '1', column: 'None' })).toBe(400)
    expect(await status({ task_id: '999999', row: '1' })).toBe(404)
    expect(await status({ compiler_config_id: '999999', sku: 'A' })).toBe(404)
  })

  test('after the task was deleted, nobody writes the tab', async () => {
    const pair = await world.pair([header, ...rows])
    await world.run(pair.task)
    const link = linkTo(pair.target, await tabOf(pair.task), 'A2')
    await world.db.deleteFrom('tasks').where('id', '=', pair.task).execute()
    expect(await refusal(link)).toEqual([404, messages.spreadsheet_unknown])
  })
})

test('compiled fields have the rule, the values of the other sources, and the way on to the source sheet', async () => {
  const master = await world.spreadsheet({
    Products: [
      ['SKU', 'Name', 'Price'],
      ['A', 'Anchor', ''],
      ['B', 'Bolt', 5],
    ],
  })
  const other = await world.spreadsheet({
    Products: [
      ['Price', 'sku', 'Stock'],
      [7, 'B', 70],
      [9, ' A ', 90],
    ],
  })
  const first = await world.sourceTask({ spreadsheet_id: master }, { name: 'Master' })
  const second = await world.sourceTask({ spreadsheet_id: other, start_row: 1 }, { name: 'Other' })
  await world.ingest(first)
  await world.ingest(second)
  const config = await aMerge(world.db, [first, second])
  await world.start(config.task_id)
  const compile = await runOf(world.db, config.task_id)
  const target = await world.spreadsheet({ Shop: [] }, 'Web shop')
  const task = await world.task({
    source_type: 'internal',
    source_compiler_config_id: config.id,
    target_ss_id: target,
  })
  await world.run(task)
  const found = await lineageOf({ link: linkTo(target, await tabOf(task), 'C2') })
  expect(found.written).toMatchObject({ state: 'value', column: 'Price', value: 9 })
  expect(found.steps).toMatchObject([
    {
      kind: 'record',
      run: { id: compile.id },
      record: {
        sku: 'A',
        field: 'Price',
        rule: messages.rule_order(['Master', 'Other']),
        sources: [
          { name: 'Master', state: 'blank', value: null },
          { name: 'Other', state: 'chosen', value: 9, place: { row: 3 } },
        ],
      },
    },
    { kind: 'rows', place: { kind: 'sheet', text: expect.stringMatching(/^A3 of ‘Products’/) } },
  ])
  const record = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(record.steps).toEqual(found.steps)
  expect(record.uses).toMatchObject([{ kind: 'target', link: found.link }])
  const forward = await lineageOf({ link: found.steps[1]?.place?.link ?? '' })
  expect(forward.uses).toMatchObject([
    { kind: 'record', record: { sku: 'A', field: 'Price' } },
    { kind: 'target', link: found.link },
  ])
  // A source that is not chosen ends there.
  const unused = await lineageOf({ task_id: String(second), row: '1', column: 'Price' })
  expect(unused.uses).toMatchObject([
    { kind: 'record', record: { sku: 'B', field: 'Price' }, text: expect.stringMatching(/instead$/) },
  ])

  // The records change places: the copy is of the version before.
  await world.clear(master, 'Products')
  await world.write(master, 'Products', [
    ['SKU', 'Name', 'Price'],
    ['B', 'Bolt', 5],
    ['A', 'Anchor', 1],
  ])
  await world.ingest(first)
  await world.start(config.task_id)
  await runOf(world.db, config.task_id)
  const after = await lineageOf({ link: linkTo(target, await tabOf(task), 'C2') })
  expect(after.steps[0]).toMatchObject({
    run: { id: compile.id },
    record: { sku: 'A', sources: [{ state: 'blank' }, { state: 'chosen', value: 9 }] },
  })
  const again = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(again.uses).toMatchObject([{ link: found.link }])
  await world.run(task)
  const copied = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(copied.uses).toMatchObject([{ link: found.link?.replace(/C2$/, 'C3') }])

  // The record before it is removed; the copied record keeps its row in the target.
  const removed = await ada.request('DELETE', `/api/compiler/data/B?compiler_config_id=${config.id}`)
  expect(removed.statusCode, removed.body).toBe(204)
  const alone = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(alone.uses).toEqual(copied.uses)
  await world.run(task)
  const moved = await lineageOf({ compiler_config_id: String(config.id), sku: 'A', field: 'Price' })
  expect(moved.uses).toMatchObject([{ link: found.link }])
})
