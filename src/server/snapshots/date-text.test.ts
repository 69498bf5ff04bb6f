import { expect, test } from 'vitest'
import type { CellValue } from '../../contract/tables.ts'
import { dateText } from './date-text.ts'

test.each<[CellValue, string, CellValue]>([
  [45_904, 'DATE', '2025-09-04'],
  // no digit is lost
  [45_904.25, 'DATE', '2025-09-04 06:00:00'],
  [45_904, 'DATE_TIME', '2025-09-04 00:00:00'],
  [45_904.999_999_988_4, 'DATE_TIME', '2025-09-04 23:59:59.999'],
  // rounded to milliseconds
  [45_904.999_999_999, 'DATE_TIME', '2025-09-05 00:00:00'],
  [0, 'DATE', '1899-12-30'],
  [60, 'DATE', '1900-02-28'],
  [2_958_465, 'DATE', '9999-12-31'],
  [0.75, 'TIME', '18:00:00'],
  [1.5, 'TIME', '36:00:00'],
  [0.000_011_58, 'TIME', '00:00:01.001'],
  // days and years outside Excel's range
  [-1, 'DATE', '1899-12-29'],
  [-0.25, 'DATE_TIME', '1899-12-29 18:00:00'],
  [-0.25, 'DATE', '1899-12-29 18:00:00'],
  [-36_522, 'DATE', '1800-01-01'],
  [-693_593, 'DATE', '0001-01-01'],
  [2_958_466, 'DATE', '10000-01-01'],
  [2_958_466.5, 'DATE_TIME', '10000-01-01 12:00:00'],
  [-0.5, 'TIME', '-12:00:00'],
  [-1.000_011_58, 'TIME', '-24:00:01.001'],
  [3_000_000.5, 'TIME', '72000012:00:00'],
  [-0, 'TIME', '00:00:00'],
  // outside the range of dates
  [-693_594, 'DATE', -693_594],
  [200_000_000, 'DATE', 200_000_000],
  [1e20, 'TIME', 1e20],
  // other formats would lose digits
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
