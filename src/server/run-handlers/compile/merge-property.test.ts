import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aMerge, aSource, compileHandler, storedRecords } from '../../../../test/compiling.ts'
import { databasePerTest } from '../../../../test/database.ts'
import { runOf, startEngine } from '../../../../test/engine.ts'
import { type PlainSource, plainMerge } from '../../../../test/plain-merge.ts'

const database = databasePerTest()
type Cell = string | number | boolean | null
const NAMES = ['Name', 'Price', 'Size', 'Größe', 'x"y', "q'", 'created_at ']
const SKUS: Cell[] = ['1', 1, ' 1 ', '2', 3, '003', 'A', 'a', 'Ä', '', null, '\u00a0x', true]

const Value = fc.oneof(
  fc.constantFrom<Cell>(null, '', 0, false, true, '#N/A', 7, '007', 'ä', '💠', "it's", '\\', '"', '%'),
  fc.string({ maxLength: 5 }).filter((text) => !text.includes('\0')),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => (Object.is(n, -0) ? 0 : n)),
)

/** A source as it is read, the headings that it has instead of some of its columns' names, and SKUs that it calls otherwise. */
const Source = fc
  .record({
    columns: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 0, maxLength: 5 }),
    sku: fc.nat({ max: 5 }),
    skus: fc.array(fc.constantFrom(...SKUS), { maxLength: 12 }),
    values: fc.array(fc.array(Value, { minLength: 6, maxLength: 6 }), { minLength: 12, maxLength: 12 }),
    headings: fc.dictionary(fc.constantFrom(...NAMES, 'SKU'), fc.constantFrom('', ' old'), { maxKeys: 3 }),
    called: fc.dictionary(fc.constantFrom('1', 'A', '003'), fc.constantFrom('2', 'new', '1'), { maxKeys: 2 }),
  })
  .map(({ columns, sku: wanted, skus, values, headings, called }) => {
    const sku = Math.min(wanted, columns.length)
    const plain: PlainSource = {
      columns: [...columns.slice(0, sku), 'SKU', ...columns.slice(sku)],
      sku,
      rows: skus.map((key, n) => (values[n] ?? []).slice(0, columns.length).toSpliced(sku, 0, key)),
      called,
    }
    return { plain, headings: plain.columns.map((name) => `${name}${headings[name] ?? ''}`) }
  })

const Settings = fc.record({
  names: fc.shuffledSubarray(NAMES, { minLength: 0, maxLength: 6 }),
  first: fc.integer({ min: 2, max: 4 }),
  orders: fc.array(fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8]), { minLength: 7, maxLength: 7 }),
  with_order: fc.subarray(NAMES),
  required: fc.subarray(NAMES),
})

test('random sources and settings come to what a plain merge comes to: values, sources, rows, flags and order', async () => {
  const engine = await startEngine(database, [compileHandler(database)])
  await fc.assert(
    fc.asyncProperty(fc.array(Source, { minLength: 1, maxLength: 9 }), Settings, async (given, wanted) => {
      const groups = [wanted.names.slice(0, wanted.first), wanted.names.slice(wanted.first)].filter(
        (group) => group.length > 1,
      )
      // Of a group one field at most has an order of its own.
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
      const { fields, rows, has_blanks, is_duplicate } = await storedRecords(database.db, config.task_id)
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
      const needed = fields.filter((field) => wanted.required.length === 0 || wanted.required.includes(field))
      const blank = expected.records.filter(({ values }) => needed.some((field) => !(field in values)))
      expect(has_blanks).toEqual(blank.map(({ sku }) => sku))
      const twice = expected.records.filter(({ twice_in }) => twice_in.length > 0)
      expect(is_duplicate).toEqual(twice.map(({ sku }) => sku))
    }),
    { numRuns: 40 },
  )
})
