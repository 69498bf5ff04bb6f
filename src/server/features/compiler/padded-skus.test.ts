import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type SignedIn, type TestApp, testApp } from '../../../../test/fixtures/app.ts'
import { aMerge, aSource, compileHandler, removeTasks } from '../../../../test/fixtures/compiling.ts'
import { startEngine } from '../../../../test/fixtures/engine.ts'
import { CompilerPreview } from '../../../contract/compiler/preview.ts'
import { compilerRecords } from '../../../contract/compiler/records.ts'
import type { CellValue, NumberFormat } from '../../../contract/tables.ts'

let app: TestApp
let ada: SignedIn

beforeAll(async () => {
  app = await testApp()
  ada = await app.signIn('ada@example.com')
})
beforeEach(async () => {
  await removeTasks(app.db)
  await startEngine(app.database, [compileHandler(app.database)])
})

type Shown = NumberFormat | null
const padded = (pattern: string): Shown => ({ type: 'NUMBER', pattern })

/** Rows whose SKUs have these formats, one for all or one for each. */
async function source(name: string, skus: CellValue[], formats: Shown | Shown[]): Promise<number> {
  const rows = skus.map((sku, n) => [sku, `${name} ${n + 1}`])
  const id = await aSource(app.db, ['SKU', name], rows, name)
  const runs = Array.isArray(formats) ? formats.map((format, n) => ({ row: n + 1, format })) : null
  const stored = { formats: [Array.isArray(formats) ? null : formats], format_runs: runs ? { 0: runs } : {} }
  await sql`update snapshots set formats = ${JSON.stringify(stored.formats)}, format_runs = ${JSON.stringify(stored.format_runs)}
    from tasks t where t.id = ${id} and snapshots.id = t.snapshot_id`.execute(app.db)
  return id
}

/** The records of a merge by their SKUs, as a compile has them and as a preview says. */
async function merged(sources: number[], overwrite?: boolean) {
  const config = await aMerge(app.db, sources)
  const run = await ada.request('POST', '/api/compiler/compile', {
    config_id: config.id,
    ...(overwrite !== undefined && { overwrite }),
  })
  expect(run.statusCode).toBe(200)
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  const { data } = compilerRecords.data.reply.parse(reply.json())
  const asked = { source_task_ids: sources, master_source_id: sources[0] }
  const preview = CompilerPreview.parse((await ada.request('POST', '/api/compiler/preview', asked)).json())
  const of = ({
    sku,
    source_count,
    validation_notes,
  }: (typeof data)[number] | (typeof preview.records)[number]) => ({
    ...{ sku, source_count, validation_notes },
  })
  expect(preview.records.map(of)).toEqual(data.map(of))
  return { config, records: Object.fromEntries(data.map((record) => [record.sku, of(record)])) }
}

test('a numeric SKU has the leading zeros and dashes of its format, and nothing else of the format', async () => {
  const cases: [shown: string, value: CellValue, format: Shown][] = [
    ['00042', 42, padded('00000')],
    ['43', 43, padded('00')],
    ['123456', 123_456, padded('00000')],
    ['00-042', 42, padded('00-000')],
    ['12-345', 12_345, padded('00-000')],
    ['1234-567', 1_234_567, padded('00-000')],
    ['000 00 42', 42, padded('000 00 00')],
    ['00000', 0, padded('00000')],
    ['44', 44, null],
    ['45', 45, padded('0')],
    ['46', 46, padded('0.00')],
    ['47', 47, padded('#,##0')],
    ['48', 48, padded('"SKU-"00000')],
    ['49', 49, { type: 'DATE', pattern: 'yyyy-mm-dd' }],
    ['50', 50, { type: 'NUMBER' }],
    ['-42', -42, padded('00000')],
    ['4.5', 4.5, padded('00000')],
    ['042', '042', padded('00000')],
  ]
  const master = await source(
    'Master',
    cases.map(([, value]) => value),
    cases.map(([, , format]) => format),
  )
  const { records } = await merged([master])
  expect(Object.keys(records).sort()).toEqual(cases.map(([shown]) => shown).sort())
})

test('a number padded by its format matches the text, with a note on the record', async () => {
  const master = await source('Master', ['00042', '7'], null)
  const supplier = await source('Supplier', [42, 7], padded('00000'))
  const { records, config } = await merged([master, supplier])
  expect(records).toMatchObject({
    '00042': {
      source_count: 2,
      validation_notes: expect.stringContaining(
        'In Supplier the SKU is a number that its format shows with leading zeros: it matches as it is shown.',
      ),
    },
    '00007': { source_count: 1, validation_notes: expect.not.stringContaining('leading zeros') },
    '7': { source_count: 1 },
  })
  const reply = await ada.request('GET', `/api/compiler/data/00042?compiler_config_id=${config.id}`)
  const { flags } = compilerRecords.record.reply.parse(reply.json())
  expect(flags.map(({ flag }) => flag)).toEqual(['sku_padded'])
})

test('equally padded numbers match without a note', async () => {
  const sources = [
    await source('Master', [42], padded('00000')),
    await source('Supplier', [42], padded('00000')),
  ]
  const { records } = await merged(sources)
  expect(records).toEqual({ '00042': { sku: '00042', source_count: 2, validation_notes: '' } })
})

test('in a column with several formats only rows displayed with padding are padded, and a duplicate SKU counts twice', async () => {
  const formats = [padded('00000'), null, padded('000'), padded('00000')]
  const supplier = await source('Supplier', [1, 2, 3, 1], formats)
  const { records } = await merged([await source('Master', ['00001', '2', '003'], null), supplier])
  expect(Object.keys(records).sort()).toEqual(['00001', '003', '2'])
  expect(records['00001']?.validation_notes).toMatch(/More than once in Supplier.*leading zeros/)
  expect(records['2']?.validation_notes).toBe('')
})

test('a mapped SKU stays mapped, whether it was mapped before or after numbers were read as displayed', async () => {
  const master = await source('Master', ['A', 'B'], null)
  const supplier = await source('Supplier', [42, 43], padded('00000'))
  const { config } = await merged([master, supplier])
  for (const [sku, master_sku] of [
    ['42', 'A'],
    ['00043', 'B'],
  ] as const)
    await app.db
      .insertInto('compiler_sku_mappings')
      .values({ compiler_config_id: config.id, source_task_id: supplier, sku, master_sku })
      .execute()
  await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
  const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
  const { data } = compilerRecords.data.reply.parse(reply.json())
  expect(data.map(({ sku, source_count }) => [sku, source_count])).toEqual([
    ['A', 2],
    ['B', 2],
  ])
})

test.each([' ', '  \t', '\u00a0', '\u3000\u2003', '\ufeff'])(
  'a cell of blanks only (%j) does not beat a value, and fills nothing',
  async (blanks) => {
    const master = await aSource(app.db, ['SKU', 'Name', 'Size'], [['A', blanks, blanks]])
    const supplier = await aSource(app.db, ['SKU', 'Name', 'Size'], [['A', 'Pan', blanks]])
    const config = await aMerge(app.db, [master, supplier])
    await ada.request('POST', '/api/compiler/compile', { config_id: config.id })
    const reply = await ada.request('GET', `/api/compiler/data?compiler_config_id=${config.id}`)
    const { data } = compilerRecords.data.reply.parse(reply.json())
    expect(data).toMatchObject([{ sku: 'A', Name: 'Pan', Size: null, has_blanks: true }])
    expect(data[0]?.validation_notes).toBe('Blank: Size.')
  },
)

test('a SKU that is a spreadsheet error is reported in its notes', async () => {
  const { records } = await merged([await aSource(app.db, ['SKU', 'Name'], [['#DIV/0!', 'Pan']], 'Master')])
  expect(records['#DIV/0!']?.validation_notes).toBe('Spreadsheet errors: SKU.')
})
