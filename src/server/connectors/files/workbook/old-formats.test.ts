import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { testFolder } from '../../../../../test/fixtures/folders.ts'
import { cellsOf, formatsOf, opened, rowsOf } from '../../../../../test/fixtures/workbooks.ts'
import { patchTab } from './patch-tab.ts'

async function saved(bookType: 'biff8' | 'ods', name: string): Promise<string> {
  const sheet = utils.aoa_to_sheet([
    ['SKU', 'Price', 'Sold'],
    ['007', 1.5, true],
    [null, 45_000, false],
    ['a', 'b', 'c'],
  ])
  sheet.B3 = { t: 'n', v: 45_000, z: 'm/d/yyyy' }
  // The library writes no errors into .ods.
  if (bookType === 'biff8') sheet.C3 = { t: 'e', v: 0x2a }
  sheet['!merges'] = [{ s: { r: 3, c: 0 }, e: { r: 3, c: 1 } }]
  const path = join(await testFolder(), name)
  await writeFile(path, write(utils.book_new(sheet, 'Prices'), { type: 'buffer', bookType }))
  return path
}

test.each([
  ['biff8', 'prices.xls'],
  ['ods', 'prices.ods'],
] as const)('%s files are read like others, and cannot be written', async (bookType, name) => {
  const path = await saved(bookType, name)
  const workbook = await opened(path)
  expect(workbook.isWritable).toBe(false)
  expect(workbook.tabs).toEqual([{ name: 'Prices', id: '1', isHidden: false, isGrid: true }])
  expect([...(await cellsOf(workbook, 'Prices')).values()]).toEqual([
    ['SKU', 'Price', 'Sold'],
    ['007', 1.5, true],
    [null, 45_000, bookType === 'biff8' ? '#N/A' : false],
    ['a', null, 'c'],
  ])
  expect((await formatsOf(workbook, 'Prices')).get(3)?.[1]).toMatchObject({ type: 'DATE' })
  expect(await rowsOf(workbook, 'Prices', { columns: 1 })).toMatchObject([
    { cells: ['SKU'] },
    { cells: ['007'] },
    { cells: ['a'] },
  ])
  const [tab = expect.fail()] = workbook.tabs
  const area = { top: 0, left: 0, bottom: 0, right: 0 }
  await expect(patchTab(path, tab, { area, rows: [] }, `${path}.new`)).rejects.toMatchObject({
    kind: 'invalid',
    message: `‘${name}’ can be read but not written, because it is not an .xlsx or .xlsm file.`,
  })
})
