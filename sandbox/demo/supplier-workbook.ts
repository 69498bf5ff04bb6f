import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { priceRows } from './catalogue.ts'

const FILE = 'supplier-prices.xlsx'

/** Creates `supplier-prices.xlsx` in a folder, with the prices of the demo catalogue. A file of that name is kept. */
export function writeSupplierWorkbook(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, FILE)
  if (existsSync(path)) return
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Prices of the supplier, in EUR']]), 'Read me')
  utils.book_append_sheet(book, utils.aoa_to_sheet(priceRows()), 'Prices')
  // Written to a temporary file and renamed, so that readers never see a part of it.
  writeFileSync(
    `${path}.new`,
    new Uint8Array(write(book, { type: 'array', bookType: 'xlsx', compression: true })),
  )
  renameSync(`${path}.new`, path)
}
