import { expect, test } from 'vitest'
import { nextSort, readTableView, writeTableView } from './table-view.ts'

const columns = { available_columns: ['SKU', 'Name', 'Price'], default_selected_columns: ['SKU', 'Name'] }
const read = (address: string) => readTableView(new URLSearchParams(address), columns)

test('the default columns are shown by row until the address asks for something else', () => {
  expect(read('')).toEqual({ columns: ['SKU', 'Name'], sort: null, order: 'asc' })
  expect(read('column=Price&column=SKU&sort=Name&order=desc')).toEqual({
    columns: ['SKU', 'Price'],
    sort: 'Name',
    order: 'desc',
  })
})

test('columns that do not exist are neither shown nor sorted by', () => {
  expect(read('column=Nope&sort=Nope')).toEqual(read(''))
})

test('a view survives the way into the address and back', () => {
  const view = { columns: ['Price'], sort: 'Price', order: 'desc' as const }
  expect(readTableView(writeTableView(view, columns.default_selected_columns), columns)).toEqual(view)
  expect(writeTableView(read(''), columns.default_selected_columns).size).toBe(0)
})

test("clicks on a column's head sort up, then down, then by row again", () => {
  const up = nextSort(read(''), 'Name')
  const down = nextSort(up, 'Name')
  expect([up.sort, up.order]).toEqual(['Name', 'asc'])
  expect([down.sort, down.order]).toEqual(['Name', 'desc'])
  expect(nextSort(down, 'Name').sort).toBeNull()
  expect([nextSort(down, 'SKU').sort, nextSort(down, 'SKU').order]).toEqual(['SKU', 'asc'])
})
