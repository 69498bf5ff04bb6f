import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ScriptedSource } from '../../../../test/fakes/scripted-source.ts'
import { aMerge } from '../../../../test/fixtures/compiling.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { runOf } from '../../../../test/fixtures/engine.ts'
import { aUser } from '../../../../test/fixtures/factories.ts'
import type { CompiledRecord } from '../../../contract/compiler/records.ts'
import type { FieldCheck } from '../../../contract/field-checks/field-checks.ts'
import type { CellValue, Row } from '../../../contract/tables.ts'
import { findRecords } from '../../features/compiler/queries/find-rows.ts'
import { readQuality } from '../../features/compiler/queries/quality.ts'
import { eachBatch } from '../../features/compiler/queries/records.ts'
import { acceptRows, discardRows } from '../../features/source-tasks/commands/waiting-rows.ts'

/** SKUs of the catalogue; all kinds of faults are planted in a small one, too. */
const SKUS = Number(process.env.CATALOGUE_SKUS ?? 400)
const DOCUMENT = join(import.meta.dirname, '../../../../docs/catalogue-faults.md')
const WEEK_DAYS = 7

const origin = new ScriptedSource()
const world = copyWorld({ sources: origin })

// The catalogue: each supplier has its own columns.

const of = <T>(list: readonly T[], n: number) => list[n % list.length] as T
const CATEGORIES = ['Chairs', 'Tables', 'Lamps', 'Shelves']
const COLOURS = ['Black', 'White', 'Grün', 'Red', 'Blue']
const SIZES = ['S', 'M', 'L', 'XL']

/** An EAN that begins with a zero. */
function ean(n: number): string {
  const digits = `0${String(36_000_000_000 + n * 7)}`
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

type Table = { header: string[]; rows: CellValue[][] }
type Supplier = 'Master' | 'Prices' | 'Stock' | 'Texts'
type Week = Record<Supplier, Table>

const price = (n: number, week: number) => Math.round((20 + (n % 300)) * (1 + week / 500) * 100) / 100
const sku = (n: number) => `SKU-${100_000 + n}`

/** Files of a week without faults: prices and stock move a little, and some products are new. */
function goodWeek(week: number): Week {
  const numbers = Array.from({ length: SKUS + Math.ceil((SKUS * week) / 200) }, (_, n) => n)
  const table = (header: string[], row: (n: number) => CellValue[]): Table => ({
    header: ['SKU', ...header],
    rows: numbers.map((n) => [sku(n), ...row(n)]),
  })
  return {
    Master: table(['Name', 'Brand', 'Category', 'GTIN'], (n) => [
      `${of(COLOURS, n)} product ${n} für alle`,
      of(['Acme', 'Bolt', 'Zenith'], n),
      of(CATEGORIES, n),
      ean(n),
    ]),
    // The extra column of week 4 stays.
    Prices: table(['Price', 'Currency', 'Sale', ...(week > 4 ? ['Margin'] : [])], (n) => [
      ...[price(n, week), 'EUR', price(n, week) - 1],
      ...(week > 4 ? [n % 30] : []),
    ]),
    Stock: table(['Stock', 'Weight'], (n) => [(n * 7 + week * 13) % 90, `${1 + (n % 20)}.5 kg`]),
    Texts: table(['Colour', 'Size', 'Description'], (n) => [
      of(COLOURS, n),
      of(SIZES, n + week),
      `A long text about product ${n}, edition of week ${week}`,
    ]),
  }
}

const common = { severity: 'error', keep_out: 'none' } as const
const CHECKS: FieldCheck[] = [
  { ...common, field: 'Price', kind: 'required' },
  { ...common, field: 'Price', kind: 'type', type: 'number' },
  { ...common, field: 'Price', kind: 'median', percent: 5 },
  { ...common, field: 'Sale', kind: 'compare', operator: '<=', other_field: 'Price' },
  { ...common, field: 'Category', kind: 'one_of', values: CATEGORIES },
  { ...common, field: 'GTIN', kind: 'check_digit', code: 'ean' },
  { ...common, field: 'GTIN', kind: 'unique' },
  { ...common, field: 'Weight', kind: 'amount', locale: 'en', units: ['kg'] },
  { ...common, field: 'Name', kind: 'pattern', pattern: '[^ÃÂ�]*' },
]

// The faults.

type Fault = {
  name: string
  week: number
  supplier: Supplier
  plant: (table: Table, files: { former: Week }) => Table
  /** Where it is noticed, and the sentences with numbers left out. */
  noticed: { by: string; sentences: string[] }
}

/** Changes a cell in every `step`th row. */
const cells =
  (column: string, step: number, change: (value: CellValue, n: number) => CellValue) =>
  ({ header, rows }: Table): Table => {
    const at = header.indexOf(column)
    return {
      header,
      rows: rows.map((row, n) => (n % step === step - 1 ? row.with(at, change(row[at] ?? null, n)) : row)),
    }
  }

const INGEST = 'ingest, needs approval'
const QUALITY = 'compile, Quality'
const FAULTS: Fault[] = [
  {
    name: 'Shifted column',
    week: 3,
    supplier: 'Texts',
    plant: ({ header, rows }) => ({
      header,
      rows: rows.map(([first = null, _, ...rest]) => [first, ...rest, null]),
    }),
    noticed: {
      by: INGEST,
      sentences: [
        'The values in ‘Colour’ of The origin look like those of its neighbour ‘Size’ last time: cells may have shifted.',
        'The values in ‘Size’ of The origin look like those of its neighbour ‘Description’ last time: cells may have shifted.',
      ],
    },
  },
  {
    name: 'Renamed header',
    week: 4,
    supplier: 'Master',
    plant: ({ header, rows }) => ({
      header: header.map((name) => (name === 'Category' ? 'Product group' : name)),
      rows,
    }),
    noticed: {
      by: INGEST,
      sentences: [
        'The origin no longer has … column of the current rows: Category.',
        '‘Product group’ of The origin looks like the missing column ‘Category’. If the rows are accepted, it is read as ‘Category’ from now on.',
      ],
    },
  },
  {
    name: 'Lost leading zeros',
    week: 3,
    supplier: 'Master',
    plant: cells('GTIN', 20, (value) => Number(value)),
    noticed: { by: QUALITY, sentences: ['GTIN must be an EAN with a valid check digit.'] },
  },
  {
    name: 'Swapped units',
    week: 5,
    supplier: 'Stock',
    plant: cells('Weight', 25, (value) => `${Number.parseFloat(String(value)) * 1000} g`),
    noticed: { by: QUALITY, sentences: ['Weight must be a number as in … (English) in ‘kg’.'] },
  },
  {
    name: 'Decimal commas',
    week: 3,
    supplier: 'Prices',
    plant: cells('Price', 25, (value) => String(value).replace('.', ',')),
    noticed: { by: QUALITY, sentences: ['Price must be a number.'] },
  },
  {
    name: 'Duplicated SKU',
    week: 5,
    supplier: 'Prices',
    plant: ({ header, rows }) => ({ header, rows: [...rows, ...rows.slice(5, 6)] }),
    noticed: { by: QUALITY, sentences: ['More than once in Prices; the first row counts.'] },
  },
  {
    name: 'Blanked price',
    week: 4,
    supplier: 'Prices',
    plant: cells('Price', 40, () => null),
    noticed: { by: QUALITY, sentences: ['Price must be filled.'] },
  },
  {
    name: 'Wrong GTIN',
    week: 5,
    supplier: 'Master',
    plant: cells(
      'GTIN',
      50,
      (value) => `${String(value).slice(0, -1)}${(Number(String(value).at(-1)) + 1) % 10}`,
    ),
    noticed: { by: QUALITY, sentences: ['GTIN must be an EAN with a valid check digit.'] },
  },
  {
    name: 'Stale file',
    week: 4,
    supplier: 'Stock',
    plant: (_, { former }) => former.Stock,
    noticed: {
      by: 'compile, warning',
      sentences: ['The rows of ‘Stock’ have not changed for … days, since ….'],
    },
  },
  {
    name: 'Changed category names',
    week: 5,
    supplier: 'Master',
    plant: cells('Category', 1, (value) => (value === 'Chairs' ? 'Seating' : value)),
    noticed: {
      by: QUALITY,
      sentences: ['Category must be one of ‘Chairs’, ‘Tables’, ‘Lamps’, ‘Shelves’.'],
    },
  },
  {
    name: 'Wrong encoding',
    week: 5,
    supplier: 'Master',
    plant: cells('Name', 1, (value) => Buffer.from(String(value)).toString('latin1')),
    noticed: { by: QUALITY, sentences: ['Name must match [^ÃÂ�]*.'] },
  },
  {
    name: 'Doubled rows',
    week: 4,
    supplier: 'Texts',
    plant: ({ header, rows }) => ({ header, rows: [...rows, ...rows] }),
    noticed: { by: QUALITY, sentences: ['More than once in Texts; the first row counts.'] },
  },
  {
    name: 'Swapped currency',
    week: 5,
    supplier: 'Prices',
    plant: (table) =>
      ['Price', 'Sale'].reduce(
        (changed, column) =>
          cells(column, 1, (value) => Math.round(Number(value) * 1.09 * 100) / 100)(changed),
        table,
      ),
    noticed: {
      by: 'compile, warning and Quality',
      sentences: [
        'The median of Price was … in the last compile and is … now.',
        'Price must have a median within … % of the last compile.',
      ],
    },
  },
  {
    name: 'Extra column',
    week: 4,
    supplier: 'Prices',
    plant: ({ header, rows }) => ({
      header: [...header, 'Margin'],
      rows: rows.map((row, n) => [...row, n % 30]),
    }),
    noticed: { by: 'ingest, warning', sentences: ['The origin has a new column: Margin.'] },
  },
]
FAULTS.push({
  ...find('Stale file'),
  name: 'Stale file, first week',
  week: 3,
  noticed: { by: '', sentences: [] },
})

function find(name: string): Fault {
  const fault = FAULTS.find((one) => one.name === name)
  if (fault === undefined) throw new Error(`There is no fault ${name}`)
  return fault
}

/** Faults that no rule notices, because every value is one that a correct file could have. */
const SILENT: Omit<Fault, 'week' | 'noticed'>[] = [
  {
    name: 'A price with two digits exchanged',
    supplier: 'Prices',
    plant: cells('Price', 399, (value) => Number(value) + 18),
  },
  {
    name: 'A few prices in another currency, without its name',
    supplier: 'Prices',
    plant: cells('Price', 99, (value) => Math.round(Number(value) * 109) / 100),
  },
  {
    name: 'A weight that is ten times too high, in the right unit',
    supplier: 'Stock',
    plant: cells('Weight', 99, (value) => `${Number.parseFloat(String(value)) * 10} kg`),
  },
  {
    name: 'A product in a wrong category that exists',
    supplier: 'Master',
    plant: cells('Category', 99, () => 'Lamps'),
  },
  {
    name: 'A valid GTIN of a product that is not in the catalogue',
    supplier: 'Master',
    plant: cells('GTIN', 99, (_, n) => ean(5_000_000 + n)),
  },
  {
    name: 'The texts of two products exchanged',
    supplier: 'Texts',
    plant: ({ header, rows }) => ({
      header,
      rows: rows.map((row, n) =>
        n === 3 || n === 4 ? [row[0] ?? null, ...(rows[7 - n] ?? []).slice(1)] : row,
      ),
    }),
  },
]

const withoutNumbers = (sentence: string) => sentence.replaceAll(/\d[\d.,-]*\d|\d/g, '…')

const table = () =>
  [
    '| Fault | Noticed by | Sentence |',
    '|---|---|---|',
    ...FAULTS.filter(({ noticed }) => noticed.by !== '').map(
      ({ name, noticed: { by, sentences } }) =>
        `| ${name} | ${by} | ${sentences.map((one) => `“${one}”`).join(' ')} |`,
    ),
    ...SILENT.map(({ name }) => `| ${name} | not noticed by any rule | |`),
  ].join('\n')

test('the document lists the faults of this test, and what notices each of them', () => {
  expect(readFileSync(DOCUMENT, 'utf8')).toContain(table())
})

test(`in five weeks of files of four suppliers, each fault is noticed by its sentences, and nothing else is reported`, {
  timeout: 1_800_000,
}, async () => {
  const { db } = world
  const ada = await aUser(db)
  const names: Supplier[] = ['Master', 'Prices', 'Stock', 'Texts']
  const tasks = new Map<Supplier, number>()
  for (const name of names)
    tasks.set(name, await world.sourceTask({ spreadsheet_id: `sheet-${name}` }, { name }))
  const config = await aMerge(db, [...tasks.values()])
  await db
    .updateTable('compiler_configs')
    .set({ field_checks: JSON.stringify(CHECKS), stale_days: 10 })
    .where('id', '=', config.id)
    .execute()

  /** Ingests a file and returns what is reported; renamed columns are accepted, and other rows that wait are discarded. */
  const ingest = async (supplier: Supplier, { header, rows }: Table): Promise<string[]> => {
    const id = tasks.get(supplier) ?? 0
    origin.script = { rows: [header, ...rows] satisfies Row[] }
    const run = await world.ingest(id)
    const { snapshot_id } = await db
      .selectFrom('tasks')
      .select('waiting_snapshot_id as snapshot_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (snapshot_id !== null) {
      const decide = run.warnings.some((message) => message.includes('is read as')) ? acceptRows : discardRows
      await decide(db, ada, { id, snapshot_id })
    }
    return run.warnings
  }
  const compile = async (): Promise<string[]> => {
    await world.start(config.task_id)
    const { warnings, state } = await runOf(db, config.task_id)
    expect(['success', 'warning']).toContain(state)
    const { checks } = await readQuality(db, config.id)
    const page = { offset: 0, limit: 5 }
    const found = await findRecords(db, { compiler_config_id: config.id, ...page, is_duplicate: 'true' })
    const twice: CompiledRecord[] = []
    for await (const batch of eachBatch(db, found, page)) twice.push(...batch)
    return [
      ...warnings.map(({ message }) => message),
      ...checks
        .filter(({ records, median }) => records > 0 || median?.has_moved)
        .map(({ sentence }) => sentence),
      ...twice.flatMap(
        ({ validation_notes }) =>
          /More than once in [^;]*; the first row counts\./.exec(validation_notes) ?? [],
      ),
    ]
  }

  let former = goodWeek(1)
  for (const week of [1, 2, 3, 4, 5]) {
    const good = goodWeek(week)
    const planted = [...FAULTS.filter((fault) => fault.week === week), ...(week === 2 ? SILENT : [])]
    const files = { ...good }
    for (const { supplier, plant } of planted) files[supplier] = plant(files[supplier], { former })
    const reported: string[] = []
    for (const name of names) reported.push(...(await ingest(name, files[name])))
    reported.push(...(await compile()))
    const expected = FAULTS.filter((fault) => fault.week === week).flatMap(({ noticed }) => noticed.sentences)
    expect([...new Set(reported.map(withoutNumbers))].toSorted(), `week ${week}`).toEqual(
      [...new Set(expected)].toSorted(),
    )
    former = files
    // A week passes.
    await sql`update source_tasks set changed_at = changed_at - make_interval(days => ${WEEK_DAYS}::int)`.execute(
      db,
    )
  }
})
