import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { OriginServer } from '../../../../test/fakes/origin-server.ts'
import { ScriptedSource } from '../../../../test/fakes/scripted-source.ts'
import { aConnection } from '../../../../test/fixtures/connections.ts'
import { copyWorld } from '../../../../test/fixtures/copy-world.ts'
import { aUser } from '../../../../test/fixtures/factories.ts'
import type { Row } from '../../../contract/tables.ts'
import { acceptRows } from '../../features/source-tasks/commands/waiting-rows.ts'
import { readSourceColumns } from '../../features/source-tasks/queries/columns.ts'

const origin = new ScriptedSource()
const world = copyWorld({ sources: origin })
const apis = copyWorld()
const ada = { id: 0, email: 'ada@example.com' }
beforeAll(async () => {
  ada.id = (await aUser(world.db)).id
})

const COLOURS = ['Black', 'White', 'Sea green', 'Red']
const BRANDS = ['Acme', 'Bolt & Co', 'Zenith']
const columns = {
  SKU: (n: number) => `SKU-${1000 + n}`,
  Name: (n: number) => `Chair with ${n} legs and a back`,
  Brand: (n: number) => BRANDS[n % 3] ?? '',
  Colour: (n: number) => COLOURS[n % 4] ?? '',
  Price: (n: number) => 10 + n / 4,
  GTIN: (n: number) => String(4_006_381_000_000 + n),
} as const
type Name = keyof typeof columns
const NAMES = Object.keys(columns) as Name[]

/** Rows of the columns, under the headings, of the products `from` to `from + 39`. */
const table = (cells: readonly Name[] = NAMES, headings: readonly string[] = cells, from = 0): Row[] => [
  [...headings],
  ...Array.from({ length: 40 }, (_, n) => cells.map((name) => columns[name](from + n))),
]

/** A task with the rows of `table()`, which then ingests others. */
async function ingested(rows: Row[]) {
  const task = await world.sourceTask({ spreadsheet_id: 'a-spreadsheet-id' })
  origin.script = { rows: table() }
  await world.ingest(task)
  origin.script = { rows }
  return { task, run: await world.ingest(task) }
}

const changesOf = async (task: number) =>
  (await readSourceColumns(world.db, task)).changes.map(({ kind, before, now, looks_like }) => ({
    kind,
    before: before?.name,
    now: now?.name,
    ...(looks_like !== null && { looks_like }),
  }))
const kindOf = async (task: number) =>
  (await readSourceColumns(world.db, task)).changes.map(({ kind }) => kind)
const header = async (task: number) =>
  (await readSourceColumns(world.db, task)).columns.map(({ name }) => name)
const waitingOf = async (task: number) => {
  const { waiting_snapshot_id } = await world.db
    .selectFrom('tasks')
    .select('waiting_snapshot_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  return waiting_snapshot_id ?? 0
}
const without = (name: Name) => NAMES.filter((other) => other !== name)
const headed = (from: Name, to: string) => NAMES.map((name) => (name === from ? to : name))

test('a renamed column stops the ingest; after one approval it is read under its former name in every later file', async () => {
  const { task, run } = await ingested(table(NAMES, headed('Colour', 'Farbe'), 400))
  expect(run.state).toBe('warning')
  expect(run.warnings).toContain(
    '‘Farbe’ of The origin looks like the missing column ‘Colour’. If the rows are accepted, it is read as ‘Colour’ from now on.',
  )
  expect(await changesOf(task)).toEqual([{ kind: 'renamed', before: 'Colour', now: 'Farbe' }])
  await acceptRows(world.db, ada, { id: task, snapshot_id: await waitingOf(task) })
  expect(await header(task)).toEqual(NAMES)
  origin.script = { rows: table(NAMES, headed('Colour', 'Farbe'), 800) }
  expect(await world.ingest(task)).toMatchObject({ state: 'success', warnings: [] })
  expect(await header(task)).toEqual(NAMES)
  // The former name is understood, too.
  origin.script = { rows: table(NAMES, NAMES, 900) }
  expect(await world.ingest(task)).toMatchObject({ state: 'success', warnings: [] })
})

test.each<[string, Name, string]>([
  ['by its name, though the values are new', 'Name', 'Names'],
  ['by its values, though the name is another', 'GTIN', 'Barcode'],
])('a renamed column is recognised %s', async (_, name, heading) => {
  const { task } = await ingested(table(NAMES, headed(name, heading), 5_000))
  expect(await changesOf(task)).toEqual([{ kind: 'renamed', before: name, now: heading }])
})

test('the rows can be accepted with another name than the one that was found, or with none', async () => {
  const { task } = await ingested(table(NAMES, headed('Brand', 'Maker')))
  const snapshot_id = await waitingOf(task)
  const accept = (column_names: { column: string; read_as: string }[]) =>
    acceptRows(world.db, ada, { id: task, snapshot_id, column_names })
  await expect(accept([{ column: 'Vendor', read_as: 'Brand' }])).rejects.toThrow(
    'The waiting rows have no column ‘Vendor’.',
  )
  await expect(accept([{ column: 'Maker', read_as: 'Price' }])).rejects.toThrow(
    '‘Price’ is not a column that the waiting rows lack.',
  )
  await accept([])
  expect(await header(task)).toContain('Maker')
  expect((await readSourceColumns(world.db, task)).names).toEqual([])
})

test('a column that disappears stops the ingest, and nothing is found for it among unlike columns', async () => {
  const { task, run } = await ingested(table(without('Brand')))
  expect(run.warnings).toContain('The origin no longer has 1 column of the current rows: Brand.')
  expect(await changesOf(task)).toEqual([{ kind: 'missing', before: 'Brand' }])
})

test('a new column only warns, with its name, and once', async () => {
  const rows = table().map((row, n) => [...row, n === 0 ? 'Stock' : n])
  const { task, run } = await ingested(rows)
  expect(run).toMatchObject({
    state: 'warning',
    receipt: { is_changed: true, needs_approval: false },
    warnings: ['The origin has a new column: Stock.'],
  })
  expect(await kindOf(task)).toEqual([])
  origin.script = { rows: rows.slice(0, -1) }
  expect(await world.ingest(task)).toMatchObject({ state: 'success', warnings: [] })
})

test('values below the heading of their neighbour stop the ingest, with both side by side', async () => {
  // Brand lost its values, and all later ones moved to the left.
  const shifted: Name[] = ['SKU', 'Name', 'Colour', 'Price', 'GTIN', 'GTIN']
  const { task, run } = await ingested(table(shifted, NAMES, 40))
  expect(run.state).toBe('warning')
  expect(run.warnings).toContain(
    'The values in ‘Brand’ of The origin look like those of its neighbour ‘Colour’ last time: cells may have shifted.',
  )
  expect(run.warnings.filter((message) => message.endsWith('cells may have shifted.'))).toHaveLength(3)
  expect(await changesOf(task)).toEqual([
    { kind: 'shifted', before: 'Brand', now: 'Brand', looks_like: 'Colour' },
    { kind: 'shifted', before: 'Colour', now: 'Colour', looks_like: 'Price' },
    { kind: 'shifted', before: 'Price', now: 'Price', looks_like: 'GTIN' },
  ])
  const [brand] = (await readSourceColumns(world.db, task)).changes
  expect([brand?.before?.values, brand?.now?.values]).toEqual([BRANDS, COLOURS])
})

test.each<[string, Row[]]>([
  ['columns in another order', table([...NAMES].reverse(), undefined, 40)],
  ['other products at other prices', table(NAMES, NAMES, 3_000)],
  [
    'prices with a decimal comma and a currency',
    table().map((row, n) =>
      row.map((cell, at) => (n > 0 && at === 4 ? `${cell} €`.replace('.', ',') : cell)),
    ),
  ],
  ['a blank column', table().map((row, n) => row.map((cell, at) => (n > 0 && at === 3 ? null : cell)))],
])('%s are no shift', async (_, rows) => {
  expect((await ingested(rows)).run).toMatchObject({ state: 'success', warnings: [] })
})

test('the columns of an API are remembered like those of a sheet', async () => {
  const server = await OriginServer.start()
  onTestFinished(() => server.close())
  let heading = 'colour'
  let from = 0
  server.on('/items', () => ({
    body: Array.from({ length: 40 }, (_, n) => ({
      sku: columns.SKU(from + n),
      [heading]: columns.Colour(from + n),
      price: columns.Price(from + n),
    })),
  }))
  const connection_id = await aConnection(apis.db, 'Shop', { kind: 'api', url: `${server.root}/items` })
  const task = await apis.sourceTask({ source_type: 'api', connection_id })
  await apis.ingest(task)
  ;[heading, from] = ['color', 1]
  expect((await apis.ingest(task)).state).toBe('warning')
  const { id: user_id } = await aUser(apis.db)
  const { waiting_snapshot_id } = await apis.db
    .selectFrom('tasks')
    .select('waiting_snapshot_id')
    .where('id', '=', task)
    .executeTakeFirstOrThrow()
  await acceptRows(
    apis.db,
    { id: user_id, email: 'ada@example.com' },
    { id: task, snapshot_id: waiting_snapshot_id ?? 0 },
  )
  from = 2
  expect(await apis.ingest(task)).toMatchObject({ state: 'success', warnings: [] })
  const { columns: stored, names } = await readSourceColumns(apis.db, task)
  expect(stored.map(({ name }) => name)).toEqual(['sku', 'colour', 'price'])
  expect(names).toMatchObject([{ column: 'color', read_as: 'colour', set_by: 'ada@example.com' }])
})
