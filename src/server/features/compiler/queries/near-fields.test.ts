import { expect, test } from 'vitest'
import { nearFields } from './near-fields.ts'

test.each([
  ['unit-price', 'Unit price', true],
  ['unitPrice', 'Unit price', true],
  ['UNIT_PRICE', 'Unit price', true],
  ['Price', 'Unit price', false],
  ['Price (EUR)', 'Price', false],
  ['Colour', 'Color', false],
  ['Größe', 'größe', true],
])('%s may be meant by %s', (column, field, same) => {
  expect(nearFields(column, [field, 'Remark'])).toEqual([{ field, same }])
})

test.each([
  ['EAN', 'SKU'],
  ['Colour', 'Flour mill'],
  ['–', '+'],
  ['Price', 'Practice'],
])('%s is not %s', (column, field) => expect(nearFields(column, [field])).toEqual([]))

test('the nearest come first, and no more than three', () => {
  const fields = ['Unit price net', 'Unit prices', 'unit price', 'Price', 'Unit']
  expect(nearFields('Unit price', fields).map(({ field }) => field)).toEqual([
    'unit price',
    'Unit price net',
    'Price',
  ])
})
