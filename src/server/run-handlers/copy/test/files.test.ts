import { existsSync, readdirSync } from 'node:fs'
import { readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { copyWorld } from '../../../../../test/fixtures/copy-world.ts'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { packed, workbookParts } from '../../../../../test/fixtures/workbooks.ts'
import { FILES, type FilesFolder } from '../../../connectors/files/folders.ts'
import { filesProvider } from '../../../connectors/files/provider.ts'

// Each read starts a process.
vi.setConfig({ testTimeout: 120_000 })

const folders: FilesFolder[] = []
const world = copyWorld({ tables: { [FILES]: filesProvider({ folders }) } })
let path = ''
let written = ''

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const row = (number: number, sku: string, price: string) => `<row r="${number}">${text(sku)}${price}</row>`
const prices = (first: string) =>
  `${row(1, 'SKU', text('Price'))}${row(2, first, '<c s="1"><v>1.5</v></c>')}${row(3, '007', '<c s="1"><v>20</v></c>')}`

beforeAll(async () => {
  path = await testFolder()
  written = await testFolder()
  folders.push({ name: 'Suppliers', path, writable: false }, { name: 'Out', path: written, writable: true })
  await packed(
    path,
    workbookParts({ tabs: { Notes: '', Prices: prices('A-1') }, styles: [0, 4] }),
    'prices.xlsx',
  )
})

const fromFile = { source_ss_id: 'Suppliers/prices.xlsx', source_sheet_name: 'Prices' }

test('rows of a workbook are copied into a Google spreadsheet, with text as text and with formats', async () => {
  const { target, task } = await world.pair([], [], fromFile)
  const run = await world.run(task)
  expect([run.state, run.message]).toEqual(['success', expect.any(String)])
  expect(await world.values(target, 'Shop')).toEqual([
    ['SKU', 'Price'],
    ['A-1', 1.5],
    ['007', 20],
  ])
  const stored = await world.db
    .selectFrom('sync_tasks')
    .select(['source_provider', 'source_place', 'source_ss_name', 'source_sheet_name', 'target_provider'])
    .where('task_id', '=', task)
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({
    source_provider: 'files',
    source_place: '6',
    source_ss_name: 'prices.xlsx',
    source_sheet_name: 'Prices',
    target_provider: 'google-sheets',
  })
  expect((await world.run(task)).requests.write).toBe(0)
})

test('a CSV file and a workbook are sources of one copy; their rows follow each other', async () => {
  await writeFile(join(path, 'more.csv'), Buffer.from('SKU;Price\nM\xfctze;0010\n', 'latin1'))
  const more_sources = [
    {
      source_type: 'sheet',
      source_ss_id: 'Suppliers/more.csv',
      source_sheet_name: '',
      source_compiler_config_id: null,
    },
  ]
  const { target, task } = await world.pair([], [], {
    ...fromFile,
    more_sources: JSON.stringify(more_sources),
  })
  expect(await world.run(task)).toMatchObject({ state: 'success' })
  expect((await world.values(target, 'Shop')).slice(1)).toEqual([
    ['A-1', 1.5],
    ['007', 20],
    ['Mütze', '0010'],
  ])
})

test('a source task ingests the newest file that matches, and keeps its rows when a broken one arrives', async () => {
  const task = await world.sourceTask({ spreadsheet_id: 'Suppliers/day-*.xlsx', sheet_name: 'Prices' })
  for (const [day, time] of [
    ['1', 1_000],
    ['2', 2_000],
  ] as const) {
    await packed(
      path,
      workbookParts({ tabs: { Prices: prices(`day ${day}`) }, styles: [0, 4] }),
      `day-${day}.xlsx`,
    )
    await utimes(join(path, `day-${day}.xlsx`), time, time)
  }
  expect(await world.ingest(task)).toMatchObject({ state: 'success', receipt: { rows: 2, account: '' } })
  const held = () =>
    world.db.selectFrom('tasks').select('snapshot_id').where('id', '=', task).executeTakeFirstOrThrow()
  const before = await held()
  const whole = await readFile(join(path, 'day-2.xlsx'))
  await writeFile(join(path, 'day-3.xlsx'), whole.subarray(0, whole.length / 2))
  await world.setRetries(task, 0)
  const run = await world.ingest(task)
  expect(run.state).toBe('failed')
  expect(run.log.join()).toContain('‘day-3.xlsx’ is damaged or was not written completely')
  expect(await held()).toEqual(before)
})

test('a file in a folder that is only read is no target', async () => {
  const { task } = await world.pair([['SKU']], [], { target_ss_id: 'Suppliers/prices.xlsx' })
  expect(await world.run(task)).toMatchObject({
    state: 'failed',
    message: expect.stringContaining('Files in the folder ‘Suppliers’ can be read but not written.'),
  })
})

test('a Google spreadsheet is copied into a workbook that does not exist yet, and back with values and formats', async () => {
  const rows = [
    ['SKU', 'Price', 'Day', 'In stock'],
    ['007', 1.25, 43831, true],
    ['=1+1', -0.1, 43832.5, false],
  ]
  const formats = [
    undefined,
    { type: 'CURRENCY', pattern: '"€"#,##0.00' },
    { type: 'DATE', pattern: 'yyyy-mm-dd' },
  ]
  const target_ss_id = 'Out/shop.xlsx'
  const { source, task } = await world.pair(rows, [], { target_ss_id })
  await world.setFormats(source, formats)
  const out = await world.run(task)
  expect([out.state, out.message]).toEqual(['success', expect.any(String)])
  expect(readdirSync(written)).toEqual(['shop.xlsx'])
  const fromFile = { source_ss_id: target_ss_id, source_sheet_name: 'Shop' }
  const back = await world.pair([], [], fromFile)
  expect((await world.run(back.task)).state).toBe('success')
  expect(await world.values(back.target, 'Shop')).toEqual(rows)
  expect(await world.entered(back.target, 'Shop')).toEqual(await world.entered(source, 'Products'))
})

test('a CSV file is written with the delimiter and the byte order mark of its task, and previewed before', async () => {
  const target_ss_id = 'Out/list.csv'
  const csv = { target_csv_delimiter: ';', target_csv_encoding: 'utf-8-bom' }
  const { task } = await world.pair(
    [
      ['SKU', 'Größe'],
      ['007', 1.5],
      ['a;b', '=1+1'],
    ],
    [],
    {
      ...{ target_ss_id, target_sheet_name: 'CSV' },
      ...csv,
    },
  )
  const { plan } = await world.preview(task)
  expect(plan?.summary.rows).toMatchObject({ wanted: 2 })
  expect(existsSync(join(written, 'list.csv'))).toBe(false)
  expect((await world.run(task)).state).toBe('success')
  expect(await readFile(join(written, 'list.csv'), 'utf8')).toBe(
    `\ufeffSKU;Größe\r\n007;1.5\r\n"a;b";"'=1+1"\r\n`,
  )
})
