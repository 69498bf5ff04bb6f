import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { testFolder } from '../../../../test/fixtures/folders.ts'
import { packed, workbookParts } from '../../../../test/fixtures/workbooks.ts'
import { parseRow } from '../row-json.ts'
import type { TableReference } from '../table-provider.ts'
import { type FilesFolder, findFile } from './folders.ts'
import { openSource } from './source.ts'

// Each read starts a process.
vi.setConfig({ testTimeout: 120_000 })

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const ROWS = `<row r="2">${text('SKU')}${text('Price')}${text('Date')}</row><row r="3">${text('A-1')}<c s="1"><v>1.5</v></c><c s="2"><v>45000</v></c></row><row r="5">${text('A-2')}<c s="1"><v>2</v></c></row>`

const CONTENT = {
  tabs: { Notes: '', Prices: ROWS },
  styles: [0, 4, 14],
  after: '<definedNames><definedName name="PriceColumn">Prices!$B$2:$B$3</definedName></definedNames>',
}

async function suppliers() {
  const path = await testFolder()
  await packed(path, workbookParts(CONTENT), 'prices.xlsx')
  return { path, folders: [{ name: 'Suppliers', path, writable: false }] }
}

const PRICES: TableReference = {
  provider: 'files',
  spreadsheet_id: 'Suppliers/prices.xlsx',
  place: null,
  sheet_name: 'Prices',
  start_row: 2,
}

const context = { signal: AbortSignal.timeout(120_000), beforeRequest: async () => {} }

async function read(folders: FilesFolder[], reference: Partial<TableReference> = {}) {
  const source = await openSource((id) => findFile(folders, id), { ...PRICES, ...reference }, context)
  const rows = []
  for await (const batch of source.read().batches)
    for (const row of batch) rows.push(parseRow(Buffer.from(row).toString()))
  return { source, rows }
}

test('a tab of a workbook is read from its header row on, with its formats', async () => {
  const { folders } = await suppliers()
  const { source, rows } = await read(folders)
  expect(source).toMatchObject({
    title: '‘Prices’ in ‘prices.xlsx’',
    warnings: [],
    identity: { spreadsheet_name: 'prices.xlsx', sheet_name: 'Prices', tab_id: '6' },
  })
  expect(rows).toEqual([['SKU', 'Price', 'Date'], ['A-1', 1.5, 45_000], [], ['A-2', 2]])
  expect(source.address?.(3, 1)).toBe('B5')
  const { columns } = await source.formats({ sample: [], rows: 3 })
  expect(columns.map(({ format }) => format?.type)).toEqual([undefined, 'NUMBER', 'DATE'])
})

test('a tab is found by its id when it was renamed; a named area by its name; a blank name is the first tab', async () => {
  const { folders } = await suppliers()
  const renamed = await read(folders, { place: '6', sheet_name: 'Old' })
  expect(renamed.source.warnings).toEqual(['‘Old’ is called ‘Prices’ now. It was followed.'])
  expect(renamed.rows).toHaveLength(4)
  expect((await read(folders, { sheet_name: 'pricecolumn' })).rows).toEqual([['Price'], [1.5]])
  expect((await read(folders, { sheet_name: '' })).source.identity.sheet_name).toBe('Notes')
  await expect(read(folders, { sheet_name: 'Other' })).rejects.toMatchObject({
    kind: 'not_found',
    message: '‘prices.xlsx’ has no tab, table or named area ‘Other’.',
  })
})

test('of the files that match a pattern the one that was changed last is read', async () => {
  const { path, folders } = await suppliers()
  for (const [name, time] of [
    ['prices-1.xlsx', 2_000],
    ['prices-2.xlsx', 1_000],
    ['~$prices-3.xlsx', 9_000],
  ] as const) {
    await packed(path, workbookParts({ tabs: { Prices: ROWS.replace('A-1', name) } }), name)
    await utimes(join(path, name), time, time)
  }
  const { rows } = await read(folders, { spreadsheet_id: 'Suppliers/*prices-*.xlsx' })
  expect(rows[1]).toMatchObject(['prices-1.xlsx', 1.5, 45_000])
  await expect(read(folders, { spreadsheet_id: 'Suppliers/stock-*.xlsx' })).rejects.toMatchObject({
    kind: 'not_found',
    message: 'No file in ‘Suppliers’ matches ‘stock-*.xlsx’.',
  })
})

test('the tab of a pattern is found by its name: the next file may have another one in its place', async () => {
  const { folders } = await suppliers()
  const wanted = { sheet_name: 'Prices', place: '5' }
  const { source } = await read(folders, { spreadsheet_id: 'Suppliers/prices*.xlsx', ...wanted })
  expect([source.identity.sheet_name, source.warnings]).toEqual(['Prices', []])
  const followed = await read(folders, { spreadsheet_id: 'Suppliers/prices.xlsx', ...wanted, start_row: 1 })
  expect(followed.source.identity.sheet_name).toBe('Notes')
})

test('no path leaves the folder', async () => {
  const { path, folders } = await suppliers()
  const outside = await testFolder()
  await writeFile(join(outside, 'secret.xlsx'), 'secret')
  await symlink(join(outside, 'secret.xlsx'), join(path, 'linked.xlsx'))
  await symlink(outside, join(path, 'linked'))
  await symlink(join(path, 'prices.xlsx'), join(path, 'current.xlsx'))
  await mkdir(join(path, 'sub'))
  const outcomes: [string, string][] = [
    ['Suppliers/../prices.xlsx', 'invalid'],
    ['Suppliers/sub/../../secret.xlsx', 'invalid'],
    ['Suppliers//etc/passwd', 'invalid'],
    ['Suppliers/..\\secret.xlsx', 'invalid'],
    ['Suppliers/C:secret.xlsx', 'invalid'],
    ['Suppliers/NUL.xlsx', 'invalid'],
    ['Suppliers/prices.xlsx.', 'invalid'],
    ['Suppliers/linked.xlsx', 'invalid'],
    ['Suppliers/linked/secret.xlsx', 'invalid'],
    ['Suppliers/linked/*.xlsx', 'invalid'],
    ['Suppliers/sub', 'not_found'],
    ['Suppliers/none.xlsx', 'not_found'],
    ['Suppliers', 'invalid'],
    ['Others/prices.xlsx', 'not_found'],
  ]
  for (const [spreadsheet_id, kind] of outcomes)
    await expect(read(folders, { spreadsheet_id }), spreadsheet_id).rejects.toMatchObject({
      name: 'OriginFailure',
      kind,
    })
  expect((await read(folders, { spreadsheet_id: 'Suppliers/current.xlsx' })).rows).toHaveLength(4)
})

test('a folder that this machine does not have is unavailable, so that the run is repeated', async () => {
  const { path } = await suppliers()
  await expect(
    read([{ name: 'Suppliers', path: join(path, 'gone'), writable: false }]),
  ).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'The folder ‘Suppliers’ cannot be opened on this machine.',
  })
})
