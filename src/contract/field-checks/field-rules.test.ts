import { expect, test } from 'vitest'
import type { CellValue } from '../tables.ts'
import { FieldCheck, fieldSettings, type RuleStep } from './field-checks.ts'
import { hasMoved, normalised, parseAmount, repairedCode, testOf } from './field-rules.ts'

const tools = { matcher: (pattern: string) => (text: string) => text === pattern, list: () => null }
const common = { field: 'F', severity: 'error', keep_out: 'none' } as const
const passes = (args: object, value: CellValue, other: CellValue = null) =>
  testOf(FieldCheck.parse({ ...common, ...args }), tools)({ value, is_date: false }, other)

test.each<[object, CellValue[], CellValue[]]>([
  [{ kind: 'required' }, [0, false, 'x'], [null, '', '  ']],
  [{ kind: 'type', type: 'number' }, [1.5, '-1.5', null], ['1,5', 'x', true]],
  [{ kind: 'type', type: 'integer' }, [2, '2'], [1.5, '1.5', 'x']],
  [{ kind: 'type', type: 'date' }, ['2024-02-29', '2024-02-29 10:00'], ['2023-02-29', '29.02.2024', 45_000]],
  [{ kind: 'type', type: 'boolean' }, [true, 'FALSE'], ['yes', 1]],
  [
    { kind: 'type', type: 'url' },
    ['https://a.example/b?c=1'],
    ['a.example', 'ftp://a.example', 'https://a b'],
  ],
  [{ kind: 'type', type: 'email' }, ['ada@example.com'], ['ada', 'a@b', 'a b@example.com', 3]],
  [
    { kind: 'type', type: 'image_url' },
    ['https://a.example/b.JPG?w=1'],
    ['https://a.example/b', 'https://a.jpg'],
  ],
  [{ kind: 'range', min: 0, max: 10 }, [0, '10'], [-1, 10.1, 'x']],
  [{ kind: 'range', min: null, max: 10 }, [-5], [11]],
  [{ kind: 'length', min: 2, max: 3 }, ['ab', 123], ['a', 'abcd']],
  [{ kind: 'one_of', values: ['S', '1'] }, ['S', 1], ['s', 'M']],
  [{ kind: 'pattern', pattern: 'A-1' }, ['A-1'], ['A-2']],
  [
    { kind: 'check_digit', code: 'gtin' },
    ['4006381333931', 4006381333931, '96385074'],
    ['4006381333930', '12'],
  ],
  [{ kind: 'check_digit', code: 'ean' }, ['4006381333931'], ['036000291452']],
  [{ kind: 'check_digit', code: 'upc' }, ['036000291452'], ['36000291452', '4006381333931']],
  [
    { kind: 'check_digit', code: 'isbn' },
    ['978-3-16-148410-0', '080442957X'],
    ['4006381333931', '0804429571'],
  ],
  [
    { kind: 'amount', locale: 'de', units: ['€', 'kg'] },
    ['1.234,50 €', '12 kg'],
    ['1,234.50 €', '12 lb', '12'],
  ],
  [{ kind: 'amount', locale: 'en', units: [] }, ['$1,234.50', 5, '7'], ['1.234,50', 'kg']],
])('%o passes %o and fails %o', (args, good, bad) => {
  expect(good.filter((value) => !passes(args, value))).toEqual([])
  expect(bad.filter((value) => passes(args, value))).toEqual([])
})

test('a blank value passes every check but “required”, and so does a comparison with a blank field', () => {
  expect(passes({ kind: 'type', type: 'number' }, ' ')).toBe(true)
  const below = { kind: 'compare', operator: '<=', other_field: 'P' }
  expect(passes(below, 3, null)).toBe(true)
  expect(passes(below, 3, '10')).toBe(true)
  expect(passes(below, 30, '10')).toBe(false)
  expect(passes(below, 'b', 'a')).toBe(false)
})

test('lost leading zeros of a code are suggested only if they make it valid', () => {
  expect(repairedCode(36000291452, 'upc')).toBe('036000291452')
  expect(repairedCode('306406152', 'isbn')).toBe('0306406152')
  expect(repairedCode('036000291452', 'upc')).toBeNull()
  expect(repairedCode(36000291453, 'upc')).toBeNull()
})

test('an amount is a number and a unit on one side of it', () => {
  expect(parseAmount('1.234,50 €', 'de')).toEqual({ number: 1234.5, unit: '€' })
  expect(parseAmount('CHF 1’234.50', 'de-CH')).toEqual({ number: 1234.5, unit: 'CHF' })
  expect(parseAmount('1 234,5 kg', 'fr')).toEqual({ number: 1234.5, unit: 'kg' })
  expect(parseAmount('EUR 5 kg', 'en')).toBeNull()
  expect(parseAmount('1.23,5', 'de')).toBeNull()
})

test.each<[RuleStep[], CellValue, CellValue]>([
  [[{ kind: 'trim' }], '  a   b ', 'a b'],
  [[{ kind: 'case', to: 'title' }], 'dark BLUE', 'Dark Blue'],
  [[{ kind: 'number', locale: 'de' }], '1.234,5', 1234.5],
  [[{ kind: 'number', locale: 'de' }], 'about 5', 'about 5'],
  [[{ kind: 'amount', locale: 'de', part: 'unit' }], '12 kg', 'kg'],
  [[{ kind: 'date', order: 'dmy' }], '1.2.2024', '2024-02-01'],
  [[{ kind: 'date', order: 'mdy' }], '1/2/2024', '2024-01-02'],
  [[{ kind: 'date', order: 'dmy' }], '31.2.2024', '31.2.2024'],
  [[{ kind: 'trim' }, { kind: 'map', values: [{ from: 'blk', to: 'Black' }] }], ' blk', 'Black'],
  [[{ kind: 'map', values: [{ from: '1', to: '' }] }], 1, ''],
  [[{ kind: 'case', to: 'upper' }], null, null],
  [[{ kind: 'zeros', code: 'gtin' }], 36000291452, '036000291452'],
  [[{ kind: 'zeros', code: 'ean' }], '4006381333930', '4006381333930'],
])('%o makes %o %o', (steps, value, wanted) => {
  expect(normalised(value, steps)).toBe(wanted)
})

test('a median moves relative to its former value, and not without one', () => {
  expect(hasMoved(100, 121, 20)).toBe(true)
  expect(hasMoved(100, 120, 20)).toBe(false)
  expect(hasMoved(0, 1, 20)).toBe(true)
  expect(hasMoved(null, 1, 0)).toBe(false)
})

test('a value that is compared across records cannot be kept out, and a range needs a bound', () => {
  const refused = (check: object) => !fieldSettings.field_checks.safeParse([{ ...common, ...check }]).success
  expect(refused({ kind: 'unique', keep_out: 'blank' })).toBe(true)
  expect(refused({ kind: 'unique' })).toBe(false)
  expect(refused({ kind: 'range', min: null, max: null })).toBe(true)
  expect(refused({ kind: 'range', min: 2, max: 1 })).toBe(true)
  expect(refused({ kind: 'magic' })).toBe(true)
})
