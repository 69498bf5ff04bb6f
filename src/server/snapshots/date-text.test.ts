import { expect, test } from 'vitest'
import type { CellValue } from '../../contract/tables.ts'
import { dateText } from './date-text.ts'

test.each<[CellValue, string, CellValue]>([
  [45_904, 'DATE', '2025-09-04'],
  // nothing of it is lost
  [45_904.25, 'DATE', '2025-09-04 06:00:00'],
  [45_904, 'DATE_TIME', '2025-09-04 00:00:00'],
  [45_904.999_999_988_4, 'DATE_TIME', '2025-09-04 23:59:59.999'],
  // what is less than a millisecond is rounded
  [45_904.999_999_999, 'DATE_TIME', '2025-09-05 00:00:00'],
  [0, 'DATE', '1899-12-30'],
  [60, 'DATE', '1900-02-28'],
  [2_958_465, 'DATE', '9999-12-31'],
  [0.75, 'TIME', '18:00:00'],
  [1.5, 'TIME', '36:00:00'],
  [0.000_011_58, 'TIME', '00:00:01.001'],
  // beyond what a date can be
  [2_958_466, 'DATE', 2_958_466],
  [-1, 'DATE', -1],
  [-0.5, 'TIME', -0.5],
  // other formats would take digits away
  [12.3456, 'CURRENCY', 12.3456],
  [0.125, 'PERCENT', 0.125],
  ['soon', 'DATE', 'soon'],
  [true, 'DATE', true],
  [null, 'DATE', null],
])('%s as %s is %s in a file', (value, type, text) => {
  expect(dateText(value, { type, pattern: 'd.m.yy' })).toBe(text)
})

test('a number without a format is the number', () => {
  expect([dateText(45_904, null), dateText(45_904, undefined)]).toEqual([45_904, 45_904])
})
