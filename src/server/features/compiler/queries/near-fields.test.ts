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
])('%s may correspond to %s', (column, field, same) => {
  expect(nearFields(column, [field, 'Remark'])).toEqual([{ field, same }])
})

test.each([
  ['EAN', 'SKU'],
  ['Colour', 'Flour mill'],
  ['–', '+'],
  ['Price', 'Practice'],
])('%s does not correspond to %s', (column, field) => expect(nearFields(column, [field])).toEqual([]))

test('at most three are returned, most similar first', () => {
  const fields = ['Unit price net', 'Unit prices', 'unit price', 'Price', 'Unit']
  expect(nearFields('Unit price', fields).map(({ field }) => field)).toEqual([
    'unit price',
    'Unit price net',
    'Price',
  ])
})
