import { expect, test } from 'vitest'
import { TableReference } from './table-provider.ts'

test('a table that an earlier version stored by its number is found by it', () => {
  const frozen = { spreadsheet_id: 'book', sheet_name: 'Products', start_row: 1 }
  const place = { ...frozen, provider: 'google-sheets' }
  expect(TableReference.parse({ ...frozen, sheet_id: 7 })).toEqual({ ...place, place: '7' })
  expect(TableReference.parse({ ...frozen, sheet_id: null })).toEqual({ ...place, place: null })
  // A version that runs beside writes both.
  expect(TableReference.parse({ ...place, place: 'red', sheet_id: 7 })).toEqual({ ...place, place: 'red' })
})
