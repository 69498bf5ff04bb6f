import { expect, test } from 'vitest'
import type { CellValue } from '../../../contract/tables.ts'
import { layoutOf } from './table-layout.ts'

const row = (cells: Record<string, CellValue>) => ({ cells, formats: null })

test('numeric columns are right-aligned, and column width is limited', () => {
  const rows = [
    row({ SKU: '007', Price: 1.5, Name: 'x'.repeat(500) }),
    row({ SKU: '008', Price: null, Name: '' }),
  ]
  const [sku, name, price] = layoutOf(['SKU', 'Name', 'Price'], rows, {})
  expect([sku?.numeric, name?.numeric, price?.numeric]).toEqual([false, false, true])
  expect(name?.width).toBe(320)
})

test('a column is as wide as its formatted values need', () => {
  const widthOf = (pattern: string) =>
    layoutOf(['Since'], [row({ Since: 43831 })], { Since: { type: 'DATE', pattern } })[0]?.width ?? 0
  expect(widthOf('yyyy-mm-dd hh:mm:ss')).toBeGreaterThan(widthOf('yyyy-mm-dd'))
})

test('a cell with its own number format counts with its formatted width', () => {
  const date = { type: 'DATE', pattern: 'yyyy-mm-dd hh:mm:ss' }
  const mixed = { cells: { Value: 43831 }, formats: { Value: date } }
  const widthOf = (rows: Parameters<typeof layoutOf>[1]) => layoutOf(['Value'], rows, {})[0]?.width ?? 0
  expect(widthOf([mixed])).toBeGreaterThan(widthOf([row({ Value: 43831 })]))
})
