import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/fixtures/compiling.ts'
import { databasePerTest } from '../../../../test/fixtures/database.ts'
import { runOf, startEngine } from '../../../../test/fixtures/engine.ts'
import { aCopy } from '../../../../test/fixtures/factories.ts'
import { type PlainSource, plainMerge } from '../../../../test/fixtures/plain-merge.ts'
import { CompileReceipt } from '../../../contract/runs/receipts.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null
const NAMES = ['Name', 'Price', 'Size', 'Größe', 'x"y', "q'", 'created at']
const SKUS: Cell[] = ['1', 1, ' 1 ', '2', 3, '003', 'A', 'a', 'Ä', '', null, '\u00a0x', true]

const Value = fc.oneof(
  fc.constantFrom<Cell>(
    null,
    '',
    ' ',
    '\u00a0\t',
    0,
    false,
    true,
    '#N/A',
    7,
    '007',
    'ä',
    '💠',
    "it's",
    '\\',
    '"',
    '%',
  ),
  fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0')),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
)

const Skus = fc.array(fc.constantFrom(...SKUS), { maxLength: 12 })
const Values = fc.array(fc.array(Value, { minLength: 6, maxLength: 6 }), { minLength: 12, maxLength: 12 })

/** A source: its table, headings that differ from the fields they are mapped to, and SKU mappings. */
const Source = fc
  .record({
    columns: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 0, maxLength: 5 }),
    sku: fc.nat({ max: 5 }),
    skus: Skus,
    values: Values,
    headings: fc.dictionary(fc.constantFrom(...NAMES, 'SKU'), fc.constantFrom('', ' old'), { maxKeys: 3 }),
    called: fc.dictionary(fc.constantFrom('1', 'A', '003'), fc.constantFrom('2', 'new', '1'), { maxKeys: 2 }),
  })
  .map(({ columns, sku: wanted, skus, values, headings, called }) => {
    const sku = Math.min(wanted, columns.length)
    const plain: PlainSource = {
      columns: [...columns.slice(0, sku), 'SKU', ...columns.slice(sku)],
      sku,
      rows: rowsOf(skus, values, { columns: columns.length, sku }),
      called,
    }
    return { plain, headings: plain.columns.map((name) => `${name}${headings[name] ?? ''}`) }
  })

function rowsOf(
  skus: Cell[],
  values: Cell[][],
  { columns, sku }: { columns: number; sku: number },
): Cell[][] {
  return skus.map((key, n) => (values[n] ?? []).slice(0, columns).toSpliced(sku, 0, key))
}

type Later = { rows: 'same' | 'some' | 'all'; skus: Cell[]; values: Cell[][] }

/** How a source changes before the next compile: not at all, some rows, or all rows. */
const Later = fc.record({
  rows: fc.constantFrom<Later['rows']>('same', 'some', 'all'),
  skus: Skus,
  values: Values,
})

/** The source after the change. */
function laterSource(source: PlainSource, { rows, skus, values }: Later): PlainSource {
  if (rows === 'same') return source
  const { columns, sku } = source
  const others = rowsOf(skus, values, { columns: columns.length - 1, sku })
  if (rows === 'all') return { ...source, rows: others }
  return { ...source, rows: source.rows.map((row, n) => (n % 3 === 0 ? (others[n] ?? row) : row)) }
}

const Settings = fc.record({
  names: fc.shuffledSubarray(NAMES, { minLength: 0, maxLength: 6 }),
  first: fc.integer({ min: 2, max: 4 }),
  orders: fc.array(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8]), { minLength: 7, maxLength: 7 }),
  with_order: fc.subarray(NAMES),
  required: fc.subarray(NAMES),
})

test('random sources and settings give the result of a plain merge, also in later compiles: values, sources, rows, flags, order, times', async () => {
  const engine = await startEngine(database, [compileHandler(database)])
  await fc.assert(
    fc.asyncProperty(
      fc.array(Source, { minLength: 1, maxLength: 9 }),
      Settings,
      fc.array(Later, { minLength: 9, maxLength: 9 }),
      async (given, wanted, later) => {
        const groups = [wanted.names.slice(0, wanted.first), wanted.names.slice(wanted.first)].filter(
          (group) => group.length > 1,
        )
        // At most one field of a group has a priority.
        const ordered = wanted.with_order.filter(
          (name) =>
            groups.find((group) => group.includes(name))?.find((one) => wanted.with_order.includes(one)) ===
              name || !groups.flat().includes(name),
        )
        const priorities = Object.fromEntries(
          ordered.map((name, n) => [name, (wanted.orders[n] ?? []).filter((place) => place < given.length)]),
        )
        const expected = plainMerge(
          given.map(({ plain }) => plain),
          { groups, priorities },
        )
        fc.pre(expected.records.length > 0)
        const ids: number[] = []
        for (const { plain, headings } of given) ids.push(await aSource(database.db, headings, plain.rows))
        const config = await aMerge(database.db, ids)
        await database.db
          .updateTable('compiler_configs')
          .set({
            required_fields: JSON.stringify(wanted.required),
            field_groups: JSON.stringify(groups),
            field_priorities: JSON.stringify(
              Object.entries(priorities).map(([field, places]) => ({
                field,
                source_task_ids: places.map((place) => ids[place]),
              })),
            ),
            column_names: JSON.stringify(
              given.flatMap(({ plain, headings }, n) =>
                headings.flatMap((column, place) =>
                  column === plain.columns[place]
                    ? []
                    : [{ source_task_id: ids[n], column, field: plain.columns[place] }],
                ),
              ),
            ),
          })
          .where('id', '=', config.id)
          .execute()
        const mappings = given.flatMap(({ plain }, n) =>
          Object.entries(plain.called ?? {}).map(([sku, master_sku]) => ({
            compiler_config_id: config.id,
            source_task_id: ids[n] ?? 0,
            sku,
            master_sku,
          })),
        )
        if (mappings.length > 0)
          await database.db.insertInto('compiler_sku_mappings').values(mappings).execute()
        const queued = await engine.queueRun(config.task_id)
        if (!queued.ok) throw new Error(queued.reason)
        await runOf(database.db, config.task_id)
        const before = await expectRecords(config.task_id, expected, wanted.required)
        const next = given.map(({ plain }, n) =>
          laterSource(plain, later[n] ?? { rows: 'same', skus: [], values: [] }),
        )
        for (const [n, { rows }] of next.entries())
          if (rows !== given[n]?.plain.rows)
            await aCopy(database.db, ids[n] ?? 0, given[n]?.headings ?? [], rows)
        const expectedNext = plainMerge(next, { groups, priorities })
        await engine.queueRun(config.task_id)
        const run = await runOf(database.db, config.task_id)
        if (expectedNext.records.length === 0) {
          expect(run.state).toBe('failed')
          expect(await storedRecords(database.db, config.task_id)).toEqual(before)
          return
        }
        const after = await expectRecords(config.task_id, expectedNext, wanted.required)
        expectTimes({ before: before.rows, after: after.rows, receipt: CompileReceipt.parse(run.receipt) })
      },
    ),
    { numRuns: 25 },
  )
})

type Stored = Awaited<ReturnType<typeof storedRecords>>

async function expectRecords(
  task_id: number,
  expected: ReturnType<typeof plainMerge>,
  required: string[],
): Promise<Stored> {
  const stored = await storedRecords(database.db, task_id)
  const { fields, rows, has_blanks, is_duplicate } = stored
  expect(fields).toEqual(expected.fields)
  expect(
    rows.map(({ sku, cells, found_in, twice_in, field_sources, source_rows }) => ({
      sku,
      values: Object.fromEntries(
        fields.flatMap((field, n) => (cells[n + 1] === null ? [] : [[field, cells[n + 1]]])),
      ),
      filled_by: Object.fromEntries(
        fields.flatMap((field, n) => (field_sources[n] ? [[field, field_sources[n] - 1]] : [])),
      ),
      found_in,
      twice_in,
      source_rows,
    })),
  ).toEqual(expected.records)
  const needed = fields.filter((field) => required.length === 0 || required.includes(field))
  const blank = expected.records.filter(({ values }) => needed.some((field) => !(field in values)))
  expect(has_blanks).toEqual(blank.map(({ sku }) => sku))
  const twice = expected.records.filter(({ twice_in }) => twice_in.length > 0)
  expect(is_duplicate).toEqual(twice.map(({ sku }) => sku))
  return stored
}

/** Expects times and counts of added, changed and gone records that agree with their values. */
function expectTimes({
  before,
  after,
  receipt,
}: {
  before: Stored['rows']
  after: Stored['rows']
  receipt: CompileReceipt
}) {
  const known = new Map(before.map((row) => [row.sku, row]))
  let [added, changed] = [0, 0]
  for (const { sku, cells, created_at, updated_at } of after) {
    const old = known.get(sku)
    known.delete(sku)
    if (old === undefined) {
      added += 1
      continue
    }
    const isSame = JSON.stringify(old.cells) === JSON.stringify(cells)
    if (!isSame) changed += 1
    expect([sku, created_at, updated_at.getTime() === old.updated_at.getTime()]).toEqual([
      sku,
      old.created_at,
      isSame,
    ])
  }
  expect(receipt).toMatchObject({ records: after.length, added, changed, gone: known.size })
}
