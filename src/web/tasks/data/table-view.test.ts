import { expect, test } from 'vitest'
import { nextSort, readTableView, writeTableView } from './table-view.ts'

const columns = { available_columns: ['SKU', 'Name', 'Price'], default_selected_columns: ['SKU', 'Name'] }
const read = (address: string) => readTableView(new URLSearchParams(address), columns)

test('without URL parameters the default columns are shown in row order', () => {
  expect(read('')).toEqual({ columns: ['SKU', 'Name'], search: '', sort: null, order: 'asc' })
  expect(read('column=Price&column=SKU&q=Row&sort=Name&order=desc')).toEqual({
    columns: ['SKU', 'Price'],
    search: 'Row',
    sort: 'Name',
    order: 'desc',
  })
})

test('unknown columns are ignored for display and order', () => {
  expect(read('column=Nope&sort=Nope')).toEqual(read(''))
})

test('a view is unchanged after it is written to the URL and read back', () => {
  const view = { columns: ['Price'], search: 'a b', sort: 'Price', order: 'desc' as const }
  expect(readTableView(writeTableView(view, columns.default_selected_columns), columns)).toEqual(view)
  expect(writeTableView(read(''), columns.default_selected_columns).size).toBe(0)
})

test('clicks on a column header sort ascending, then descending, then by row', () => {
  const up = nextSort(read(''), 'Name')
  const down = nextSort(up, 'Name')
  expect([up.sort, up.order]).toEqual(['Name', 'asc'])
  expect([down.sort, down.order]).toEqual(['Name', 'desc'])
  expect(nextSort(down, 'Name').sort).toBeNull()
  expect([nextSort(down, 'SKU').sort, nextSort(down, 'SKU').order]).toEqual(['SKU', 'asc'])
})
