import { expect, test } from 'vitest'
import type { NumberFormat } from '../../../../contract/tables.ts'
import { cutText } from './cut-text.ts'
import { completenessOf, fieldNames, fieldText, flagsOf, searchFields } from './record-fields.ts'

const record = {
  sku: 'A-1',
  source_count: 2,
  has_blanks: false,
  has_errors: false,
  is_duplicate: false,
  validation_notes: '',
  number_formats: {},
  compiler_config_id: 1,
  created_at: '2026-11-20T04:00:00.000Z',
  updated_at: '2026-11-20T04:00:00.000Z',
}

test('text over 100 characters is truncated to 97 plus dots', () => {
  expect(cutText('x'.repeat(100))).toBe('x'.repeat(100))
  expect(cutText('x'.repeat(101))).toBe(`${'x'.repeat(97)}...`)
  // never splits a surrogate pair
  expect(cutText(`${'x'.repeat(96)}🍳${'y'.repeat(10)}`)).toBe(`${'x'.repeat(96)}...`)
})

test('badges are Blanks, Errors, Duplicate, or Clean when none apply', () => {
  const labels = (flags: object) => flagsOf({ ...record, ...flags }).map(({ label }) => label)
  expect(labels({})).toEqual(['Clean'])
  expect(labels({ has_blanks: true })).toEqual(['Blanks'])
  expect(labels({ has_blanks: true, has_errors: true, is_duplicate: true })).toEqual([
    'Blanks',
    'Errors',
    'Duplicate',
  ])
})

test.each([
  [10, 10, 100, 'success'],
  [9, 10, 90, 'success'],
  // rounded down
  [899, 1000, 89, 'warning'],
  [7, 10, 70, 'warning'],
  [699, 1000, 69, 'error'],
  [0, 10, 0, 'error'],
  [0, 0, 100, 'success'],
] as const)('%d of %d filled fields are %d%%: %s', (filled, of, percent, tone) => {
  expect(completenessOf({ filled, of })).toEqual({ percent, tone })
})

test('field names exclude the fixed properties and keep their order', () => {
  expect(fieldNames({ ...record, Price: 1, Name: 'Pan' })).toEqual(['Price', 'Name'])
  expect(fieldNames(undefined)).toEqual([])
})

test('fields are formatted as in their sources', () => {
  const number_formats = { Since: { type: 'DATE', pattern: 'yyyy-mm-dd' }, Price: { type: 'TEXT' } }
  const fields = { ...record, number_formats, Blank: null, None: '', Zero: 0, No: false, Code: '007' }
  const textOf = (name: string) => fieldText({ ...fields, Since: 45_904, Price: 1.5 }, name)
  expect(['Blank', 'None', 'gone', 'Zero', 'No', 'Code', 'Since', 'Price'].map(textOf)).toEqual([
    ...['', '', '', '0', 'FALSE', '007', '2025-09-04', '1.5'],
  ])
  // text is not formatted as a number
  expect(fieldText({ ...fields, Since: 'unknown' }, 'Since')).toBe('unknown')
})

test('fields are searched by name and value, case-insensitively', () => {
  const field = (name: string, value: string | number, number_format: NumberFormat | null = null) => ({
    name,
    value,
    number_format,
    required: true,
    error: false,
    failures: [],
    repaired: null,
    raw: null,
    override: null,
    live_override: null,
    decision: null,
    source: null,
    others: [],
  })
  const fields = [field('Price', '12'), field('Name', 'Pan'), field('Maker', 'Price & Sons')]
  const found = (search: string) => searchFields(fields, search).map(({ name }) => name)
  expect(found(' PRICE ')).toEqual(['Price', 'Maker'])
  expect(found('')).toEqual(['Price', 'Name', 'Maker'])
  expect(found('nothing')).toEqual([])
  const since = field('Since', 45_904, { type: 'DATE', pattern: 'd mmm yyyy' })
  expect(searchFields([since], 'sep 2025')).toEqual([since])
})
