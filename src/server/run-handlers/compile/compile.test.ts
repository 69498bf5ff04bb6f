import fc from 'fast-check'
import { expect, test } from 'vitest'
import { databasePerTest } from '../../../../test/database.ts'
import { logOf, runOf, startEngine } from '../../../../test/engine.ts'
import { aConfig, aCopy, aSourceTask } from '../../../../test/factories.ts'
import { type PlainSource, plainMerge } from '../../../../test/plain-merge.ts'
import { CompileReceipt } from '../../../contract/receipts.ts'
import { BITS_IN_WORD } from '../../snapshots/source-sets.ts'
import type { CompileDefinition } from './definition.ts'
import { compileHandler } from './handler.ts'

const database = databasePerTest()
let serial = 0
type Cell = string | number | boolean | null

async function aSource(name: string, columns: string[], rows: Cell[][]): Promise<number> {
  const { id } = await aSourceTask(database.db, { name })
  await aCopy(database.db, id, columns, rows)
  return id
}

async function aMerge(source_ids: number[], master = source_ids[0]) {
  const config = await aConfig(database.db)
  await database.db
    .insertInto('compiler_sources')
    .values(
      source_ids.map((source_task_id, position) => ({
        compiler_config_id: config.id,
        source_task_id,
        position,
        is_master: source_task_id === master,
      })),
    )
    .execute()
  return config
}

async function compiled(task_id: number, changes: Partial<CompileDefinition> = {}) {
  const engine = await startEngine(database, [
    {
      ...compileHandler,
      snapshotDefinition: async (trx, ids) => {
        const definitions = await compileHandler.snapshotDefinition(trx, ids)
        for (const task of definitions.values()) Object.assign(task.definition, changes)
        return definitions
      },
    },
  ])
  const queued = await engine.queueRun(task_id)
  if (!queued.ok) throw new Error(queued.reason)
  const run = await runOf(database.db, task_id)
  await engine.stop()
  return run
}

/** The records of a task as they are stored. */
async function recordsOf(task_id: number) {
  const { db } = database
  const version = await db
    .selectFrom('tasks')
    .innerJoin('snapshots', 'snapshots.id', 'tasks.snapshot_id')
    .innerJoin('compiled_versions as v', 'v.snapshot_id', 'snapshots.id')
    .select(['snapshots.id', 'header', 'row_count', 'v.sources', 'has_blanks', 'has_errors', 'is_duplicate'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('snapshot_rows as s')
    .innerJoin('compiled_records as r', (join) =>
      join.onRef('r.snapshot_id', '=', 's.snapshot_id').onRef('r.row_no', '=', 's.row_no'),
    )
    .select(['s.row_no', 'cells', 'sku', 'found_in', 'twice_in', 'field_sources', 'created_at', 'updated_at'])
    .where('s.snapshot_id', '=', version.id)
    .orderBy('s.row_no')
    .execute()
  const bits = (set: Buffer) =>
    [...set].flatMap((byte, n) =>
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((bit) => (byte & (1 << bit) ? n * 8 + bit : [])),
    )
  const numbers = (words: number[]) =>
    words.flatMap((word, n) =>
      Array.from({ length: BITS_IN_WORD }, (_, bit) => bit).flatMap((bit) =>
        word & (1 << bit) ? n * BITS_IN_WORD + bit : [],
      ),
    )
  const flag = (set: Buffer) => bits(set).map((n) => rows[n]?.sku)
  return {
    ...version,
    fields: version.header.slice(1),
    has_blanks: flag(version.has_blanks),
    has_errors: flag(version.has_errors),
    is_duplicate: flag(version.is_duplicate),
    rows: rows.map((row) => ({ ...row, found_in: numbers(row.found_in), twice_in: numbers(row.twice_in) })),
  }
}

test('the master wins, the others fill its blanks in their order, and each value remembers its source', async () => {
  const master = await aSource(
    'Master',
    ['SKU', 'Name', 'Price'],
    [
      ['007', 'Pan', null],
      ['8', '', 0],
    ],
  )
  const prices = await aSource(
    'Prices',
    ['Price', 's_k-u', 'Currency'],
    [
      [9.5, '007 ', 'EUR'],
      [3, 8, false],
      [1, 'only here', 'USD'],
    ],
  )
  const names = await aSource(
    'Names',
    ['Sku', 'Name'],
    [
      ['8', 'Lid'],
      ['007', 'Other'],
    ],
  )
  const config = await aMerge([prices, master, names], master)
  const run = await compiled(config.task_id)
  expect(run.state).toBe('success')
  const { fields, rows, has_blanks, sources } = await recordsOf(config.task_id)
  expect(fields).toEqual(['Name', 'Price', 'Currency'])
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['007', 'Pan', 9.5, 'EUR'],
    ['8', 'Lid', 0, false],
    ['only here', null, 1, 'USD'],
  ])
  expect(sources.map(({ name }) => name)).toEqual(['Master', 'Prices', 'Names'])
  expect(rows.map(({ field_sources }) => [...field_sources])).toEqual([
    [1, 2, 2],
    [3, 1, 2],
    [0, 2, 2],
  ])
  expect(rows.map(({ found_in }) => found_in)).toEqual([[0, 1, 2], [0, 1, 2], [1]])
  expect(has_blanks).toEqual(['only here'])
  expect(CompileReceipt.parse(run.receipt)).toMatchObject({
    records: 3,
    rows_read: 7,
    added: 3,
    changed: 0,
    gone: 0,
    blanks: 1,
  })
})

test.each([
  [['Name'], '‘Given’ has no column named SKU.'],
  [['SKU', 'Name', 's k u'], '‘Given’ has 2 columns named SKU: ‘SKU’, ‘s k u’.'],
])('a source with the columns %j is refused', async (columns, message) => {
  const config = await aMerge([await aSource('Given', columns, [['1']])])
  const { state, error } = await compiled(config.task_id)
  expect([state, error]).toEqual(['failed', message])
})

test('a source without data fails the run, and the records of before stay', async () => {
  const { id } = await aSourceTask(database.db, { name: 'Empty' })
  const source = await aSource('Full', ['SKU'], [['1']])
  const config = await aMerge([source])
  await compiled(config.task_id)
  await database.db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: id, position: 2, is_master: false })
    .execute()
  const { state, error } = await compiled(config.task_id)
  expect([state, error]).toEqual(['failed', '‘Empty’ has no data yet. Run it first.'])
  expect((await recordsOf(config.task_id)).rows).toHaveLength(1)
})

test('errors of spreadsheets flag a record, texts that only look like them do not', async () => {
  const errors = [
    '#N/A',
    '#REF!',
    '#VALUE!',
    '#DIV/0!',
    '#NAME?',
    '#NUM!',
    '#NULL!',
    '#ERROR!',
    'Loading…',
    'Loading...',
  ]
  const fine = ['#1', 'a #N/A b', '["#N/A"]', 'x", "#N/A", "y', '#NAME', 'Loading']
  const rows = [...errors, ...fine].map((value, n) => [`${n}`, value, 'filled'])
  const config = await aMerge([await aSource('Sheet', ['SKU', 'Value', 'Other'], rows)])
  await compiled(config.task_id)
  const { has_errors } = await recordsOf(config.task_id)
  expect(has_errors).toEqual(errors.map((_, n) => `${n}`))
})

test('rows without a SKU are left out, and the run says how many of which source', async () => {
  const source = await aSource(
    'Holes',
    ['SKU', 'Name'],
    [
      [null, 'a'],
      [' \u00a0', 'b'],
      ['1', 'c'],
    ],
  )
  const config = await aMerge([source])
  const run = await compiled(config.task_id)
  expect(run.state).toBe('warning')
  expect((await recordsOf(config.task_id)).rows).toHaveLength(1)
  expect((await logOf(database.db, config.task_id)).join('\n')).toContain(
    '2 rows of ‘Holes’ without a SKU were left out.',
  )
})

test('a later compile keeps when a record was created, and when it was last another one', async () => {
  const source = await aSource(
    'Shop',
    ['SKU', 'Price'],
    [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ],
  )
  const config = await aMerge([source])
  await compiled(config.task_id)
  const before = await recordsOf(config.task_id)
  await aCopy(
    database.db,
    source,
    ['SKU', 'Price'],
    [
      ['b', 2],
      ['c', 4],
      ['d', 5],
    ],
  )
  const run = await compiled(config.task_id)
  const after = await recordsOf(config.task_id)
  const [b, c] = after.rows
  expect(b).toMatchObject({ created_at: before.rows[1]?.created_at, updated_at: before.rows[1]?.updated_at })
  expect(c?.created_at).toEqual(before.rows[2]?.created_at)
  expect(c?.updated_at).not.toEqual(before.rows[2]?.updated_at)
  expect(CompileReceipt.parse(run.receipt)).toMatchObject({ added: 1, changed: 1, gone: 1 })
})

test('without overwriting, records that are there stay as they are, and new ones follow them', async () => {
  const master = await aSource(
    'Kept',
    ['SKU', 'Price'],
    [
      ['a', 1],
      ['b', null],
    ],
  )
  const config = await aMerge([master])
  await compiled(config.task_id)
  const more = await aSource(
    'More',
    ['Size', 'SKU', 'Price'],
    [
      ['L', 'c', 3],
      ['M', 'a', 9],
      ['S', 'b', 8],
    ],
  )
  await aCopy(
    database.db,
    master,
    ['SKU', 'Price'],
    [
      ['a', 100],
      [null, 5],
      ['b', 200],
    ],
  )
  await database.db
    .insertInto('compiler_sources')
    .values({ compiler_config_id: config.id, source_task_id: more, position: 2, is_master: false })
    .execute()
  const run = await compiled(config.task_id, { overwrite: false })
  const { fields, rows, has_blanks, sources } = await recordsOf(config.task_id)
  expect(fields).toEqual(['Price', 'Size'])
  expect(rows.map(({ cells }) => cells)).toEqual([
    ['a', 1],
    ['b', null],
    ['c', 3, 'L'],
  ])
  expect(sources.map(({ name }) => name)).toEqual(['Kept', 'More'])
  expect(rows[2]).toMatchObject({ found_in: [1], field_sources: [2, 2] })
  expect(has_blanks).toEqual(['b'])
  expect(CompileReceipt.parse(run.receipt)).toMatchObject({ records: 3, added: 1, changed: 0, gone: 0 })
  expect((await logOf(database.db, config.task_id)).join('\n')).toContain(
    '1 row of ‘Kept’ without a SKU was left out.',
  )
})

const Value = fc.oneof(
  fc.constantFrom<Cell>(null, '', 0, false, true, '#N/A', 7, '007', 'ä', '💠', "it's", '\\', '"', '%'),
  fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0')),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
)

const Source = fc
  .record({
    columns: fc.uniqueArray(fc.constantFrom('Name', 'Price', 'Size', 'Größe', 'x"y', "q'", 'created_at '), {
      minLength: 0,
      maxLength: 5,
    }),
    sku: fc.nat({ max: 5 }),
    skus: fc.array(
      fc.constantFrom<Cell>('1', 1, ' 1 ', '2', 3, '003', 'A', 'a', 'Ä', '', null, '\u00a0x', true),
      { maxLength: 12 },
    ),
    values: fc.array(fc.array(Value, { minLength: 6, maxLength: 6 }), { minLength: 12, maxLength: 12 }),
  })
  .map(({ columns, sku: wanted, skus, values }): PlainSource => {
    const sku = Math.min(wanted, columns.length)
    return {
      columns: [...columns.slice(0, sku), 'SKU', ...columns.slice(sku)],
      sku,
      rows: skus.map((key, n) => (values[n] ?? []).slice(0, columns.length).toSpliced(sku, 0, key)),
    }
  })

test('random sources come to what a plain merge comes to: values, sources, flags and order', async () => {
  const engine = await startEngine(database, [compileHandler])
  await fc.assert(
    fc.asyncProperty(fc.array(Source, { minLength: 1, maxLength: 9 }), async (given) => {
      const expected = plainMerge(given)
      fc.pre(expected.records.length > 0)
      const ids = []
      for (const [n, { columns, rows }] of given.entries())
        ids.push(await aSource(`Source ${++serial} ${n}`, columns, rows))
      const config = await aMerge(ids)
      const queued = await engine.queueRun(config.task_id)
      if (!queued.ok) throw new Error(queued.reason)
      await runOf(database.db, config.task_id)
      const { fields, rows, has_blanks, is_duplicate } = await recordsOf(config.task_id)
      expect(fields).toEqual(expected.fields)
      expect(
        rows.map(({ sku, cells, found_in, twice_in, field_sources }) => ({
          sku,
          values: Object.fromEntries(
            fields.flatMap((field, n) => (cells[n + 1] === null ? [] : [[field, cells[n + 1]]])),
          ),
          filled_by: Object.fromEntries(
            fields.flatMap((field, n) => (field_sources[n] ? [[field, field_sources[n] - 1]] : [])),
          ),
          found_in,
          twice_in,
        })),
      ).toEqual(expected.records)
      const blank = expected.records.filter(({ values }) => Object.keys(values).length < fields.length)
      expect(has_blanks).toEqual(blank.map(({ sku }) => sku))
      const twice = expected.records.filter(({ twice_in }) => twice_in.length > 0)
      expect(is_duplicate).toEqual(twice.map(({ sku }) => sku))
    }),
    { numRuns: 40 },
  )
})
