import { expect, test } from 'vitest'
import { layoutOf } from './table-layout.ts'

test('a column of numbers is set to the right, and no column is wider than its frame allows', () => {
  const rows = [
    { SKU: '007', Price: 1.5, Name: 'x'.repeat(500) },
    { SKU: '008', Price: null, Name: '' },
  ]
  const [sku, name, price] = layoutOf(['SKU', 'Name', 'Price'], rows, {})
  expect([sku?.numeric, name?.numeric, price?.numeric]).toEqual([false, false, true])
  expect(name?.width).toBe(320)
})

test('a column is as wide as its formatted values need', () => {
  const widthOf = (pattern: string) =>
    layoutOf(['Since'], [{ Since: 43831 }], { Since: { type: 'DATE', pattern } })[0]?.width ?? 0
  expect(widthOf('yyyy-mm-dd hh:mm:ss')).toBeGreaterThan(widthOf('yyyy-mm-dd'))
})
