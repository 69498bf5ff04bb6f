import { expect, test } from 'vitest'
import { SpreadsheetOrFile } from '../fields.ts'
import { isFilePath, providerOf } from './providers.ts'

const id = '1aPjP1BBUZZRQrn14S8qVr4kS4sZ_VnKxclzdgrqP4u-'

test.each([
  `https://docs.google.com/spreadsheets/d/${id}/edit#gid=0`,
  `HTTPS://docs.google.com/spreadsheets/u/1/d/${id}/edit`,
  ` docs.google.com/spreadsheets/d/${id}`,
])('an address of Google Sheets is no path: %j', (address) => {
  expect(isFilePath(address)).toBe(false)
  expect(SpreadsheetOrFile.parse(address)).toBe(id)
})

test.each(['Suppliers/prices.xlsx', 'https/prices.csv', 'docs.google.com.old/prices.csv'])(
  'the path of a file: %j',
  (path) => {
    expect(SpreadsheetOrFile.parse(path)).toBe(path)
    expect(providerOf(path)).toBe('files')
  },
)

test('any other address is refused', () => {
  expect(SpreadsheetOrFile.safeParse('https://example.com/prices.xlsx').success).toBe(false)
})
