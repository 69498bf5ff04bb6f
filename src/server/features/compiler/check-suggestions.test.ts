import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { CheckCount } from '../../../contract/compiler/checks.ts'
import { CompiledRecordDetail } from '../../../contract/compiler/records.ts'

type Cell = string | number | null

let app: TestApp
let ada: SignedIn
let config: { id: number }

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
})

async function catalogue(rows: Cell[][]) {
  config = await aMerge(app.db, [await aSource(app.db, ['SKU', 'Colour', 'Price', 'GTIN'], rows, 'Master')])
}

async function compile(settings?: object) {
  if (settings) {
    const saved = await ada.request('PUT', `/api/compiler/configs/${config.id}`, settings)
    expect(saved.statusCode, saved.body).toBe(200)
  }
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(reply.statusCode, reply.body).toBe(200)
}
const check = (args: object) => ({ field: 'Price', severity: 'error', keep_out: 'none', ...args })

async function fieldOf(sku: string, name: string) {
  const reply = await ada.request('GET', `/api/compiler/data/${sku}?compiler_config_id=${config.id}`)
  return CompiledRecordDetail.parse(reply.json()).fields.find((field) => field.name === name)
}
async function count(body: object) {
  const reply = await ada.request('POST', `/api/compiler/configs/${config.id}/check_failures`, {
    check: body,
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return CheckCount.parse(reply.json())
}

test('a code that has lost leading zeros is suggested with them, and a rule restores them in every record', async () => {
  await catalogue([
    ['A', 'Black', 5, 36000291452],
    ['B', 'Black', 5, '4006381333930'],
    ['C', 'Black', 5, '4006381333931'],
  ])
  const gtin = check({ field: 'GTIN', kind: 'check_digit', code: 'gtin' })
  await compile({ field_checks: [gtin] })
  const repaired = async (sku: string) => (await fieldOf(sku, 'GTIN'))?.repaired
  expect([await repaired('A'), await repaired('B'), await repaired('C')]).toEqual([
    '036000291452',
    null,
    null,
  ])
  // also if the value itself is kept out
  await compile({ field_checks: [{ ...gtin, keep_out: 'blank' }] })
  expect(await fieldOf('A', 'GTIN')).toMatchObject({ value: null, repaired: '036000291452' })
  await compile({ field_rules: [{ field: 'GTIN', steps: [{ kind: 'zeros', code: 'gtin' }] }] })
  expect(await fieldOf('A', 'GTIN')).toMatchObject({
    ...{ value: '036000291452', failures: [], repaired: null },
    raw: { value: 36000291452 },
  })
})

test('the median that a check compares is told before it is saved', async () => {
  await catalogue([
    ['A', 'Black', 0.25, null],
    ['B', 'Black', 0.35, null],
    ['C', 'Black', 'none', null],
  ])
  await compile()
  expect(await count(check({ kind: 'median', percent: 20 }))).toMatchObject({ checked: 3, median: 0.3 })
  expect(await count(check({ kind: 'median', percent: 20, field: 'GTIN' }))).toMatchObject({ median: null })
  expect(await count(check({ kind: 'required' }))).toMatchObject({ median: null })
})
