import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read, utils } from '@e965/xlsx'
import { expect, test } from 'vitest'
import { testFolder } from '../../test/fixtures/folders.ts'
import { writeSupplierWorkbook } from './supplier-workbook.ts'

test('the demo workbook has the prices of the catalogue; a file of the same name is kept', async () => {
  const folder = await testFolder()
  writeSupplierWorkbook(folder)
  expect(await readdir(folder)).toEqual(['supplier-prices.xlsx'])
  const path = join(folder, 'supplier-prices.xlsx')
  const { SheetNames, Sheets } = read(await readFile(path))
  expect(SheetNames).toEqual(['Read me', 'Prices'])
  expect(utils.sheet_to_json(Sheets.Prices ?? {}, { header: 1 })).toHaveLength(901)
  await writeFile(path, 'edited')
  writeSupplierWorkbook(folder)
  expect(await readFile(path, 'utf8')).toBe('edited')
})
