import { expect, test } from 'vitest'
import { addressOf } from './address.ts'

test('the address of a call contains its parameters, escaped', () => {
  expect(addressOf('/api/sync_tasks/:id/logs', { id: 7 })).toBe('/api/sync_tasks/7/logs')
  expect(addressOf('/api/spreadsheets/:spreadsheet_id', { spreadsheet_id: 'a/b?c' })).toBe(
    '/api/spreadsheets/a%2Fb%3Fc',
  )
})

test('a query repeats the name of a list and omits undefined values', () => {
  const query = { offset: 0, sort: undefined, columns: ['Price & co', 'SKU'] }
  expect(addressOf('/data', {}, query)).toBe('/data?offset=0&columns=Price%20%26%20co&columns=SKU')
  expect(addressOf('/data', {}, { sort: undefined })).toBe('/data')
})
