import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { CheckCount } from '../../../contract/compiler/checks.ts'
import { CompilerConfig } from '../../../contract/compiler/configs.ts'
import { CompiledRecordDetail, CompilerQuality, compilerRecords } from '../../../contract/compiler/records.ts'

type Cell = string | number | boolean | null

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

async function catalogue(rows: Cell[][], more: Cell[][] = []) {
  const columns = ['SKU', 'Colour', 'Price', 'GTIN']
  master = await aSource(app.db, columns, rows, 'Master')
  supplier = await aSource(app.db, columns, more, 'Supplier')
  config = await aMerge(app.db, [master, supplier])
}

const put = (settings: object) => ada.request('PUT', `/api/compiler/configs/${config.id}`, settings)
async function compile(settings?: object) {
  if (settings) expect((await put(settings)).statusCode).toBe(200)
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(reply.statusCode, reply.body).toBe(200)
}
const check = (args: object) => ({ field: 'Price', severity: 'error', keep_out: 'none', ...args })

async function records(query = '') {
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}&${query}`)
  return compilerRecords.data.reply.parse(reply.json()).data
}
const skus = async (query: string) => (await records(query)).map(({ sku }) => sku)
async function detail(sku: string) {
  const reply = await ada.request('GET', `/api/compiler/data/${sku}?compiler_config_id=${config.id}`)
  return CompiledRecordDetail.parse(reply.json())
}
const fieldOf = async (sku: string, name: string) =>
  (await detail(sku)).fields.find((field) => field.name === name)
async function checks() {
  const reply = await ada.request('GET', `/api/compiler/quality?compiler_config_id=${config.id}`)
  return CompilerQuality.parse(reply.json()).checks
}
async function count(body: object) {
  const reply = await ada.request('POST', `/api/compiler/configs/${config.id}/check_failures`, {
    check: body,
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return CheckCount.parse(reply.json())
}

test('a record that fails a check is flagged with a sentence, counted under Quality and found by the check', async () => {
  await catalogue([
    ['A', 'Black', 5, null],
    ['B', 'Red', null, null],
    ['C', 'Red', 'free', null],
  ])
  const required_fields = ['Colour']
  const field_checks = [
    check({ kind: 'required' }),
    check({ kind: 'type', type: 'number', severity: 'warning' }),
  ]
  await compile({ field_checks, required_fields })
  expect((await checks()).map(({ check_no, sentence, records }) => [check_no, sentence, records])).toEqual([
    [0, 'Price must be filled.', 1],
    [1, 'Price must be a number.', 1],
  ])
  expect(await skus('failed_check=0')).toEqual(['B'])
  expect(await skus('failed_check=1')).toEqual(['C'])
  expect(await skus('has_errors=true')).toEqual(['B'])
  // a failed warning is no badge
  const [, b, c] = await records()
  expect(b).toMatchObject({ has_errors: true, validation_notes: 'Price must be filled.' })
  expect(c).toMatchObject({ has_errors: false, validation_notes: 'Price must be a number.' })
  expect((await detail('C')).flags).toEqual([
    { flag: 'failed_warnings', explanation: 'Price must be a number.' },
  ])
  expect(await fieldOf('B', 'Price')).toMatchObject({ error: true, failures: ['Price must be filled.'] })
  const stats = await ada.request('GET', `/api/compiler/stats?compiler_config_id=${config.id}`)
  expect(stats.json()).toMatchObject({ clean_records: 2, records_with_errors: 1 })
})

test('findings stay when nothing has changed, and follow changed settings', async () => {
  await catalogue([['A', 'Black', null, null]])
  const field_checks = [check({ kind: 'required' })]
  await compile({ field_checks })
  await compile()
  expect(await skus('failed_check=0')).toEqual(['A'])
  await compile({ field_checks: [] })
  expect(await checks()).toEqual([])
  expect(await skus('has_errors=true')).toEqual([])
})

test('findings stay when a record is removed', async () => {
  await catalogue([
    ['A', 'Black', null, null],
    ['B', 'Black', null, null],
  ])
  await compile({ field_checks: [check({ kind: 'required' })] })
  const reply = await ada.request('DELETE', `/api/compiler/data/A?compiler_config_id=${config.id}`)
  expect(reply.statusCode).toBe(204)
  expect(await skus('failed_check=0')).toEqual(['B'])
  expect((await checks()).map(({ records }) => records)).toEqual([1])
})

test('a value that fails is kept out: the last good value stays, or the field is blank', async () => {
  await catalogue([['A', 'Black', 5, '4006381333931']])
  const price = check({ kind: 'range', min: 1, max: 100, keep_out: 'last_good' })
  const gtin = check({ field: 'GTIN', kind: 'check_digit', code: 'gtin', keep_out: 'blank' })
  await compile({ field_checks: [price, gtin] })
  for (const bad of [5000, 6000]) {
    await aCopy(app.db, master, ['SKU', 'Colour', 'Price', 'GTIN'], [['A', 'Black', bad, '4006381333930']])
    await compile()
    expect(await records()).toMatchObject([{ Price: 5, GTIN: null, has_errors: true, has_blanks: true }])
    expect(await fieldOf('A', 'Price')).toMatchObject({ value: 5, raw: { value: bad, name: 'Master' } })
  }
  await aCopy(app.db, master, ['SKU', 'Colour', 'Price', 'GTIN'], [['A', 'Black', 7, '4006381333931']])
  await compile()
  expect(await records()).toMatchObject([{ Price: 7, GTIN: '4006381333931', has_errors: false }])
})

test('a blank does not overwrite the last good value of a required field; without one the field is blank', async () => {
  await catalogue([
    ['A', 'Black', 5, null],
    ['B', 'Black', null, null],
  ])
  await compile({ field_checks: [check({ kind: 'required', keep_out: 'last_good' })] })
  await aCopy(
    app.db,
    master,
    ['SKU', 'Colour', 'Price', 'GTIN'],
    [
      ['A', 'Black', null, null],
      ['B', 'Red', null, null],
    ],
  )
  await compile()
  expect(await records()).toMatchObject([{ Price: 5 }, { Price: null }])
  expect(await skus('failed_check=0')).toEqual(['A', 'B'])
})

test('values that records share are found in all of them, and fields are compared', async () => {
  await catalogue([
    ['A', 'Black', 5, '10'],
    ['B', 'Red', 5, '3'],
    ['C', 'Red', 6, null],
    ['D', 'Red', 5, '5'],
  ])
  const unique = check({ kind: 'unique' })
  const compare = check({ kind: 'compare', operator: '<=', other_field: 'GTIN' })
  await compile({ field_checks: [unique, compare] })
  expect(await skus('failed_check=0')).toEqual(['A', 'B', 'D'])
  expect(await skus('failed_check=1')).toEqual(['B'])
  expect(await count(unique)).toMatchObject({
    checked: 4,
    failed: 3,
    first: [{ sku: 'A' }, { sku: 'B' }, { sku: 'D' }],
  })
})

test('values are compared with a column of another source, also one without SKUs', async () => {
  await catalogue([
    ['A', 'Black', 5, null],
    ['B', 'Blakc', 5, null],
  ])
  const colours = await aSource(app.db, ['Name'], [['Black'], ['Red']], 'Colours')
  const listed = (column: string) =>
    check({ field: 'Colour', kind: 'one_of_column', source_task_id: colours, column })
  await compile({ field_checks: [listed('Name')] })
  expect(await skus('failed_check=0')).toEqual(['B'])
  expect(await count(listed('Name'))).toMatchObject({ failed: 1, first: [{ sku: 'B', value: 'Blakc' }] })
  // the list is part of what a compile depends on
  await aCopy(app.db, colours, ['Name'], [['Blakc']])
  await compile()
  expect(await skus('failed_check=0')).toEqual(['A'])
  await put({ field_checks: [listed('Title')] })
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(reply.json().message ?? reply.body).toContain('‘Title’')
})

test('values are normalised before they are merged and checked; rows of the sources stay as they are', async () => {
  await catalogue(
    [
      ['A', ' blk ', '1.234,50 €', null],
      ['B', 'n/a', '7', null],
    ],
    [['B', 'red', null, null]],
  )
  const field_rules = [
    {
      field: 'Colour',
      steps: [
        { kind: 'trim' },
        {
          kind: 'map',
          values: [
            { from: 'blk', to: 'Black' },
            { from: 'n/a', to: '' },
          ],
        },
        { kind: 'case', to: 'title' },
      ],
    },
    { field: 'Price', steps: [{ kind: 'amount', locale: 'de', part: 'number' }] },
  ]
  await compile({ field_rules, field_checks: [check({ kind: 'type', type: 'number' })] })
  // a value that is replaced by nothing is filled from the next source
  expect(await records('has_errors=false')).toMatchObject([
    { sku: 'A', Colour: 'Black', Price: 1234.5 },
    { sku: 'B', Colour: 'Red', Price: 7 },
  ])
  expect(await fieldOf('A', 'Colour')).toMatchObject({ value: 'Black', raw: { value: ' blk ' } })
  const rows = await ada.request('GET', `/api/source_tasks/${master}/data_copy`)
  expect(rows.body).toContain(' blk ')
})

test('one press on a value replaces it everywhere; null removes the replacement', async () => {
  await catalogue([['A', 'blk', 5, null]])
  const map = (to: string | null, from = 'blk') =>
    ada.request('PUT', `/api/compiler/configs/${config.id}/value_mappings`, { field: 'Colour', from, to })
  expect((await map('Black')).statusCode).toBe(204)
  await compile()
  expect(await records()).toMatchObject([{ Colour: 'Black' }])
  // the shown value is replaced, too
  expect((await map('Night', 'Black')).statusCode).toBe(204)
  await compile()
  expect(await records()).toMatchObject([{ Colour: 'Night' }])
  await map(null)
  await map(null, 'Black')
  expect(CompilerConfig.parse((await put({})).json()).field_rules).toEqual([])
  expect((await map('', '')).statusCode).toBe(400)
})

test('two people who replace values at once lose neither replacement', async () => {
  await catalogue([['A', 'a', 5, null]])
  const names = ['a', 'b', 'c', 'd']
  const replies = await Promise.all(
    names.map((from) =>
      ada.request('PUT', `/api/compiler/configs/${config.id}/value_mappings`, {
        field: 'Colour',
        from,
        to: `${from}!`,
      }),
    ),
  )
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([204, 204, 204, 204])
  const [rule] = CompilerConfig.parse((await put({})).json()).field_rules
  const [step] = rule?.steps ?? []
  expect(step?.kind === 'map' && step.values.map(({ from }) => from).sort()).toEqual(names)
})

test('a median that moved since the last compile is a warning of the run and shown under Quality', async () => {
  await catalogue([
    ['A', 'Black', 10, null],
    ['B', 'Black', 20, null],
  ])
  await compile({ field_checks: [check({ kind: 'median', percent: 20 })] })
  await aCopy(
    app.db,
    master,
    ['SKU', 'Colour', 'Price', 'GTIN'],
    [
      ['A', 'Black', 1000, null],
      ['B', 'Black', 2000, null],
    ],
  )
  await compile()
  expect(await checks()).toMatchObject([{ records: 0, median: { before: 15, now: 1500, has_moved: true } }])
  const [run] = await app.db.selectFrom('runs').select('state').orderBy('id', 'desc').limit(1).execute()
  expect(run?.state).toBe('warning')
})

test('a check is counted before it is saved, with the first records and repaired codes', async () => {
  await catalogue([
    ['A', 'Black', 5, 36000291452],
    ['B', 'Black', 50, '4006381333931'],
    ['C', 'Black', 500, null],
  ])
  await compile()
  expect(await count(check({ kind: 'range', min: null, max: 10 }))).toMatchObject({
    ...{ checked: 3, records: 3, failed: 2 },
    first: [
      { sku: 'B', value: 50, repaired: null },
      { sku: 'C', value: 500, repaired: null },
    ],
  })
  const upc = await count(check({ field: 'GTIN', kind: 'check_digit', code: 'upc' }))
  expect(upc.first[0]).toMatchObject({ sku: 'A', repaired: '036000291452' })
  expect(await count(check({ field: 'Gone', kind: 'required' }))).toMatchObject({ failed: 3 })
})

test('an invalid pattern is refused with its text, before it is saved and when it is counted', async () => {
  await catalogue([['A', 'Black', 5, null]])
  await compile()
  const field_checks = [check({ kind: 'pattern', pattern: '(a' })]
  for (const reply of [
    await put({ field_checks }),
    await ada.request('POST', `/api/compiler/configs/${config.id}/check_failures`, {
      check: field_checks[0],
    }),
  ]) {
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('(a is not a valid RE2 expression')
  }
  await compile({ field_checks: [check({ field: 'Colour', kind: 'pattern', pattern: '[A-Z][a-z]+' })] })
  expect(await skus('failed_check=0')).toEqual([])
})

test('a compile that adds only new SKUs keeps the findings of the others', async () => {
  await catalogue([['A', 'Black', null, null]])
  await compile({ field_checks: [check({ kind: 'required' })] })
  await aCopy(
    app.db,
    master,
    ['SKU', 'Colour', 'Price', 'GTIN'],
    [
      ['A', 'Black', 1, null],
      ['B', 'Red', null, null],
    ],
  )
  const body = { config_id: config.id, overwrite: false }
  expect((await ada.request('POST', '/api/compiler/compile', body)).statusCode).toBe(200)
  expect(await skus('failed_check=0')).toEqual(['A', 'B'])
})

test('a change of checks and rules is recorded in words and can be reverted', async () => {
  await catalogue([['A', 'Black', 5, null]])
  await put({ field_checks: [check({ kind: 'range', min: 1, max: null, keep_out: 'blank' })] })
  await put({
    field_rules: [{ field: 'Colour', steps: [{ kind: 'map', values: [{ from: 'blk', to: 'Black' }] }] }],
  })
  const path = `/api/tasks/${config.task_id}/changes`
  const { changes } = (await ada.request('GET', path)).json()
  expect(JSON.stringify(changes)).toContain('Price must be at least 1 (error, leave it blank)')
  expect(JSON.stringify(changes)).toContain('Colour: ‘blk’ → ‘Black’')
  const { updated_at } = CompilerConfig.parse((await put({})).json())
  const revert = await ada.request('POST', `/api/compiler/configs/${config.id}/revert`, {
    change_id: changes[0].id,
    updated_at,
  })
  expect(revert.statusCode, revert.body).toBe(200)
  expect(CompilerConfig.parse(revert.json())).toMatchObject({
    field_rules: [],
    field_checks: [{ kind: 'range' }],
  })
})

test('the preview flags records that fail, by the unsaved checks and rules', async () => {
  await catalogue([
    ['A', 'blk', 5, null],
    ['B', 'Red', null, null],
  ])
  const reply = await ada.request('POST', '/api/compiler/preview', {
    ...{ config_id: config.id, source_task_ids: [master, supplier], master_source_id: master },
    field_checks: [check({ kind: 'required' }), check({ kind: 'required', field: 'Nothing' })],
    field_rules: [{ field: 'Colour', steps: [{ kind: 'map', values: [{ from: 'blk', to: 'Black' }] }] }],
  })
  expect(reply.json()).toMatchObject({
    records: [
      { Colour: 'Black', has_errors: false },
      { Colour: 'Red', has_errors: true },
    ],
    warnings: ['The settings name the field ‘Nothing’, which no source has.'],
  })
})

test('the lineage of a normalised value shows the value of the source and that of the record', async () => {
  await catalogue([['A', 'blk', 5, null]])
  await compile({
    field_rules: [{ field: 'Colour', steps: [{ kind: 'map', values: [{ from: 'blk', to: 'Black' }] }] }],
  })
  const notes = async (field: string) => {
    const query = `compiler_config_id=${config.id}&sku=A&field=${field}`
    const reply = await ada.request('GET', `/api/lineage?${query}`)
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.body
  }
  const colour = await notes('Colour')
  expect(colour).toContain('The record has “Black” instead')
  expect(colour).toContain('"value":"blk"')
  expect(await notes('Price')).not.toContain('instead')
})
