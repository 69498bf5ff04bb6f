import { expect, test } from 'vitest'
import { cellText, onOneLine } from './cell-text.ts'

test('cells are formatted as in the spreadsheet', () => {
  expect([cellText(true), cellText(0), cellText('007'), cellText(null), cellText(undefined)]).toEqual([
    'TRUE',
    '0',
    '007',
    '',
    '',
  ])
})

test.each([
  [43831, { type: 'DATE', pattern: 'yyyy-mm-dd' }, '2020-01-01'],
  [43831, { type: 'DATE' }, '1/1/2020'],
  [43831.75, { type: 'DATE_TIME', pattern: 'd.m.yyyy hh:mm' }, '1.1.2020 18:00'],
  [0.75, { type: 'TIME' }, '6:00:00 PM'],
  [1.5, { type: 'TIME', pattern: '[h]:mm:ss' }, '36:00:00'],
  [-1.5, { type: 'TIME', pattern: '[h]:mm:ss' }, '-36:00:00'],
  [0.256, { type: 'PERCENT' }, '25.60%'],
  [1234.5, { type: 'CURRENCY', pattern: '[$€]#,##0.00' }, '€1,234.50'],
  [1234.5, { type: 'CURRENCY' }, '$1,234.50'],
  [1234.5, { type: 'NUMBER', pattern: '#,##0' }, '1,235'],
  [123_456, { type: 'SCIENTIFIC' }, '1.23E+05'],
  [-1, { type: 'DATE', pattern: 'yyyy-mm-dd' }, '1899-12-29'],
])('%s in the format %o is shown as %s', (value, format, shown) => {
  expect(cellText(value, format)).toBe(shown)
})

test('text and booleans in a date column are unchanged, and a number in a text column is plain digits', () => {
  const date = { type: 'DATE', pattern: 'yyyy-mm-dd' }
  expect([cellText('43831', date), cellText(true, date), cellText(null, date)]).toEqual(['43831', 'TRUE', ''])
  expect(cellText(1.5, { type: 'TEXT', pattern: '@' })).toBe('1.5')
})

test('an unsupported pattern shows the plain number', () => {
  expect(cellText(1.5, { type: 'NUMBER', pattern: '"open' })).toBe('1.5')
})

test('multi-line text is shown on one line, with a sign for each break and its spaces unchanged', () => {
  expect(onOneLine('two  \nlines')).toBe('two   ↵ lines')
  expect(onOneLine('a\r\nb\rc\u2028d\u0085e')).toBe('a ↵ b ↵ c ↵ d ↵ e')
  expect(onOneLine('  007 ')).toBe('  007 ')
})
