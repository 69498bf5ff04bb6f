import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aSourceTask } from '../../../../test/fixtures/factories.ts'
import { CompilerPreview } from '../../../contract/compiler/preview.ts'
import { compilerServerMessages } from '../../../contract/compiler/server-messages.ts'

const URL = '/api/compiler/preview'
let app: TestApp
let ada: SignedIn
let master: number
let prices: number

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
  const { db } = app
  const many = Array.from({ length: 30 }, (_, n) => [`${n + 10}`, 'Pan', n % 2 === 0 ? null : '#N/A'])
  master = await aSource(
    db,
    ['SKU', 'Name', 'Price'],
    [['007', null, 1], [null, 'none', 2], ...many],
    'Master',
  )
  prices = await aSource(
    db,
    ['Price', 'sku', 'Unit'],
    [
      [5, ' 10 ', 'kg'],
      [6, '12', ''],
      [7, '12', 'g'],
      [8, 'A-10', 'lb'],
    ],
    'Prices',
  )
})

const preview = (fields: object = {}, person = ada) =>
  person.request('POST', URL, { source_task_ids: [prices, master], master_source_id: master, ...fields })

const kept = async () => {
  const tables = ['snapshots', 'snapshot_rows', 'compiled_blocks', 'runs', 'compiler_configs']
  const counts = await Promise.all(
    tables.map(async (table) => {
      const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(table)}`.execute(app.db)
      return [table, rows[0]?.n]
    }),
  )
  return Object.fromEntries(counts)
}

test('a preview shows the first 20 records of the next compile with the origin of each value, and stores nothing', async () => {
  const before = await kept()
  const reply = await preview()
  expect(reply.statusCode).toBe(200)
  expect(await kept()).toEqual(before)
  const { fields, records, filled_by, sources, warnings } = CompilerPreview.parse(reply.json())
  expect([fields, warnings]).toEqual([['Name', 'Price', 'Unit'], []])
  expect(sources).toEqual([
    { source_task_id: master, name: 'Master', rows: 32 },
    { source_task_id: prices, name: 'Prices', rows: 4 },
  ])
  expect(records.slice(0, 2)).toEqual([
    {
      ...{ sku: '007', Name: null, Price: 1, Unit: null, source_count: 1, number_formats: {} },
      ...{ has_blanks: true, has_errors: false, is_duplicate: false, validation_notes: 'Blank: Name, Unit.' },
    },
    {
      ...{ sku: '10', Name: 'Pan', Price: 5, Unit: 'kg', source_count: 2, number_formats: {} },
      ...{ has_blanks: false, has_errors: false, is_duplicate: false, validation_notes: '' },
    },
  ])
  expect(filled_by[1]).toEqual([master, prices, prices])

  const engine = await startEngine(app.database, [compileHandler(app.database)])
  const config = await aMerge(app.db, [prices, master], master)
  await engine.queueRun(config.task_id)
  await runOf(app.db, config.task_id)
  const compiled = await storedRecords(app.db, config.task_id)
  const asStored = (found: typeof compiled) =>
    found.rows.slice(0, 20).map(({ sku, cells, found_in }) => ({
      ...{ sku, values: cells.slice(1), source_count: found_in.length },
      ...{ has_blanks: found.has_blanks.includes(sku), has_errors: found.has_errors.includes(sku) },
      is_duplicate: found.is_duplicate.includes(sku),
    }))
  expect(
    records.map(({ sku, source_count, has_blanks, has_errors, is_duplicate, ...rest }) => ({
      ...{
        sku,
        source_count,
        has_blanks,
        has_errors,
        is_duplicate,
        values: fields.map((name) => rest[name]),
      },
    })),
  ).toEqual(asStored(compiled))
  await engine.stop()
})

test('a preview applies the settings and the SKU mappings of the edited configuration', async () => {
  const config = await aMerge(app.db, [master, prices])
  await app.db
    .insertInto('compiler_sku_mappings')
    .values({ compiler_config_id: config.id, source_task_id: prices, sku: 'A-10', master_sku: '007' })
    .execute()
  const reply = await preview({
    config_id: config.id,
    required_fields: ['Price', 'Weight'],
    field_priorities: [{ field: 'Price', source_task_ids: [prices] }],
    column_names: [{ source_task_id: prices, column: 'Unit', field: 'Name' }],
  })
  const { records, warnings } = CompilerPreview.parse(reply.json())
  expect(records[0]).toMatchObject({ sku: '007', Name: 'lb', Price: 8, has_blanks: false })
  expect(warnings).toEqual(['The settings name the field ‘Weight’, which no source has.'])
})

test('with fewer SKUs in the master, those of other sources follow', async () => {
  const reply = await preview({ master_source_id: prices })
  const { records } = CompilerPreview.parse(reply.json())
  expect(records.map(({ sku }) => sku).slice(0, 5)).toEqual(['10', '12', 'A-10', '007', '11'])
  expect(records).toHaveLength(20)
})

test.each<[string, () => Promise<object>, number, string]>([
  [
    'a source without rows',
    async () => {
      const { id } = await aSourceTask(app.db, { name: 'Empty' })
      return { source_task_ids: [master, id] }
    },
    422,
    '‘Empty’ has no data yet. Run it first.',
  ],
  [
    'a source without a SKU column',
    async () => ({ source_task_ids: [master, await aSource(app.db, ['Name'], [['x']], 'Nameless')] }),
    422,
    '‘Nameless’ has no column named SKU.',
  ],
  [
    'sources without any SKU',
    async () => {
      const id = await aSource(app.db, ['SKU'], [[null], [' ']], 'Blank')
      return { source_task_ids: [id], master_source_id: id }
    },
    422,
    'No row of the sources has a SKU.',
  ],
  [
    'a source that is gone',
    async () => ({ source_task_ids: [master, 2_147_483_647] }),
    422,
    'One of the sources is no source task any more.',
  ],
  [
    'a master that is no source',
    async () => ({ source_task_ids: [prices] }),
    400,
    compilerServerMessages.master_not_source,
  ],
])('a preview with %s is refused with the message of a compile', async (_, fields, status, message) => {
  const reply = await preview(await fields())
  expect([reply.statusCode, reply.json().message]).toEqual([status, message])
})

test('one preview at a time per user: the second is 429 with Retry-After, another user’s continues', async () => {
  const ben = await app.signIn('ben@example.com')
  // Its statements wait for this lock until the test releases it.
  const holding = await app.db.startTransaction().execute()
  await sql`lock table snapshot_rows in access exclusive mode`.execute(holding)
  const [adas, bens] = [preview(), preview({}, ben)]
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pg_locks where relation = 'snapshot_rows'::regclass and not granted`.execute(
        app.db,
      )
      return rows[0]?.n
    })
    .toBe(2)
  const second = await preview()
  expect([second.statusCode, second.headers['retry-after']]).toEqual([429, '2'])
  await holding.rollback().execute()
  expect([(await adas).statusCode, (await bens).statusCode]).toEqual([200, 200])
})
