import { expect, test } from 'vitest'
import {
  compileHandler,
  aMerge as mergeOf,
  aSource as sourceOf,
  storedRecords,
} from '../../../../test/fixtures/compiling.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { logOf, runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy, aSourceTask } from '../../../../test/fixtures/factories.ts'
import { CompileReceipt } from '../../../contract/runs/receipts.ts'
import type { CompileDefinition } from './definition.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null

const aSource = (name: string, columns: string[], rows: Cell[][]) =>
  sourceOf(database.db, columns, rows, name)
const aMerge = (source_ids: number[], master?: number) => mergeOf(database.db, source_ids, master)
const recordsOf = (task_id: number) => storedRecords(database.db, task_id)

async function compiled(task_id: number, changes: Partial<CompileDefinition> = {}) {
  const handler = compileHandler(database)
  const engine = await startEngine(database, [
    {
      ...handler,
      snapshotDefinition: async (trx, ids) => {
        const definitions = await handler.snapshotDefinition(trx, ids)
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

test('the master takes precedence, the others fill its blanks in order, and each value stores its source', async () => {
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

test('a source without data fails the run, and the previous records stay', async () => {
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

test('spreadsheet errors flag a record, texts that look like them do not', async () => {
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

test('rows without a SKU are skipped, and the run reports their number per source', async () => {
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

test.each([true, false])(
  "a later compile keeps a record's creation and change times; hashes known: %j",
  async (known) => {
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
    // Records of an older release have no hashes.
    if (!known) await database.db.updateTable('compiled_blocks').set({ hashes: null }).execute()
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
    expect(b).toMatchObject({
      created_at: before.rows[1]?.created_at,
      updated_at: before.rows[1]?.updated_at,
    })
    expect(c?.created_at).toEqual(before.rows[2]?.created_at)
    expect(c?.updated_at).not.toEqual(before.rows[2]?.updated_at)
    expect(CompileReceipt.parse(run.receipt)).toMatchObject({ added: 1, changed: 1, gone: 1 })
  },
)

test('without overwriting, existing records stay unchanged, and new ones follow', async () => {
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
