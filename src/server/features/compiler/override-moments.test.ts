import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { until } from '../../../../test/processes/processes.ts'
import { CompiledRecordDetail } from '../../../contract/compiler/records.ts'

// Kiritimati's day begins 14 hours before UTC's, so at any time of day one of these zones has another day than UTC.
const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

let app: TestApp
let ada: SignedIn
let config: { id: number; task_id: number }

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})

beforeEach(async () => {
  await removeTasks(app.db)
  config = await aMerge(app.db, [await aSource(app.db, ['SKU', 'Price'], [['A', 5]])])
})

async function compile() {
  const reply = await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  expect(reply.statusCode, reply.body).toBe(200)
}
const set = (value: number, by = ada, more: object = {}) =>
  by.request('PUT', `/api/compiler/configs/${config.id}/overrides`, {
    values: [{ sku: 'A', field: 'Price', value }],
    ...more,
  })
async function price() {
  const reply = await ada.request('GET', `/api/compiler/data/A?compiler_config_id=${config.id}`)
  return CompiledRecordDetail.parse(reply.json()).fields.find(({ name }) => name === 'Price')
}

test('an override that is set during a compile applies with the next one, and is not settled by the running one', async () => {
  await startEngine(app.database, [compileHandler(app.database)])
  await compile()
  await sql`update compiled_versions set merged_from = null`.execute(app.db)
  // Merging waits for this lock, reading does not.
  const holding = await app.db.startTransaction().execute()
  await sql`lock table compiled_blocks in share mode`.execute(holding)
  const running = compile()
  await until('it merges', async () => {
    const { rows } = await sql`
      select from pg_locks where relation = 'compiled_blocks'::regclass and not granted`.execute(app.db)
    return rows.length > 0
  })
  // The same value as that of the source, so a compile that saw it would end it.
  expect((await set(5)).statusCode).toBe(200)
  await holding.rollback().execute()
  await running
  expect(await price()).toMatchObject({
    value: 5,
    override: null,
    live_override: { value: 5, note: 'Applies from the next compile on.' },
  })
  await compile()
  expect(await price()).toMatchObject({ value: 5, live_override: null })
})

test.each(ZONES)('an end date is a day of %s, the time zone of schedules', async (zone) => {
  const local = await testApp({ env: { SCHEDULE_TIME_ZONE: zone }, database: app.database })
  const bob = await local.signIn('bob@example.com')
  await startEngine(app.database, [compileHandler(app.database, undefined, zone)])
  await compile()
  const { rows } = await sql<{ today: string; yesterday: string }>`
    select day::text as today, (day - 1)::text as yesterday from (select (now() at time zone ${zone}::text)::date as day) d`.execute(
    app.db,
  )
  const { today = '', yesterday = '' } = rows[0] ?? {}
  expect((await set(7, bob, { ends_on: yesterday })).json().message).toContain(`${yesterday} is over`)
  expect((await set(7, bob, { ends_on: today })).statusCode).toBe(200)
  await compile()
  expect(await price()).toMatchObject({ value: 7 })
  await sql`update compiler_overrides set ends_on = ${yesterday}::date`.execute(app.db)
  await compile()
  expect(await price()).toMatchObject({ value: 5, live_override: null })
})

test('a value is set for chosen records, of those that match', async () => {
  await startEngine(app.database, [compileHandler(app.database)])
  const rows = ['A', 'B', 'C'].map((sku) => [sku, 5])
  config = await aMerge(app.db, [await aSource(app.db, ['SKU', 'Price'], rows)])
  await compile()
  const select = (body: object) =>
    ada.request('POST', `/api/compiler/configs/${config.id}/overrides/selection`, {
      ...{ filters: {}, field: 'Price', value: '7' },
      ...body,
    })
  expect((await select({ skus: ['A', 'C', 'X'] })).json()).toMatchObject({ set: 2 })
  expect((await select({ skus: ['A', 'B'], value: '8', filters: { sku_search: 'B' } })).json()).toMatchObject(
    {
      set: 1,
    },
  )
  const { rows: set } = await sql<{ sku: string; value: number }>`
    select sku, value from compiler_overrides where compiler_config_id = ${config.id} order by sku`.execute(
    app.db,
  )
  expect(set.map(({ sku, value }) => `${sku} ${value}`)).toEqual(['A 7', 'B 8', 'C 7'])
})
