import { expect, test } from 'vitest'
import { columnNames } from './column-names.ts'

test('a blank header is "Column D", a repeated one "Name (2)"', () => {
  expect(columnNames(['SKU', 'Name', 'Name', ' ', 'Name'])).toEqual([
    'SKU',
    'Name',
    'Name (2)',
    'Column D',
    'Name (3)',
  ])
})

test('generated column names are unique', () => {
  expect(columnNames(['A', 'A', 'A (2)', '', 'Column D'])).toEqual([
    'A',
    'A (3)',
    'A (2)',
    'Column D (2)',
    'Column D',
  ])
  expect(new Set(columnNames(['', 'Column A', 'Column A', '', 'Column D']))).toHaveProperty('size', 5)
})

test('blanks around a name and its form in Unicode do not count, unless both names exist', () => {
  expect(columnNames(['Price ', 'Gro\u0308ße', '\u00a0SKU'])).toEqual(['Price', 'Größe', 'SKU'])
  expect(columnNames(['Price ', 'Price', ' '])).toEqual(['Price ', 'Price', 'Column C'])
  expect(columnNames(['Price ', ' Price'])).toEqual(['Price', 'Price (2)'])
})

test('generating names is idempotent, and columns past Z have two letters', () => {
  const names = columnNames(['A', 'A', '', '__proto__'])
  expect(names.at(-1)).toBe('__proto__ (2)')
  expect(columnNames(names)).toEqual(names)
  expect(columnNames(Array.from({ length: 28 }, () => '')).slice(25)).toEqual([
    'Column Z',
    'Column AA',
    'Column AB',
  ])
})
