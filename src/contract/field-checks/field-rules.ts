import type { CellValue } from '../tables.ts'
import type { FieldCheck, NumberLocale, RuleStep } from './field-checks.ts'

/** A value, and whether its number format shows it as a date. */
export type CheckedValue = { value: CellValue; is_date: boolean }

/** Whether a value passes a check. `other`: the value of the field that it is compared with. */
export type CheckTest = (checked: CheckedValue, other: CellValue) => boolean

/** What checks need from outside: a linear matcher of patterns, and the list of a `one_of_column` check (null: unknown). */
export type CheckTools = {
  matcher: (pattern: string) => (text: string) => boolean
  list: (check: FieldCheck) => ReadonlySet<string> | null
}

const MARKS: Record<NumberLocale, { decimal: string; groups: RegExp }> = {
  en: { decimal: '.', groups: /,/g },
  de: { decimal: ',', groups: /\./g },
  fr: { decimal: ',', groups: /[ \u00a0\u202f]/g },
  'de-CH': { decimal: '.', groups: /['’]/g },
}
const GROUPED: Record<NumberLocale, RegExp> = {
  en: /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/,
  de: /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?$/,
  fr: /^[+-]?(\d{1,3}([ \u00a0\u202f]\d{3})+|\d+)(,\d+)?$/,
  'de-CH': /^[+-]?(\d{1,3}(['’]\d{3})+|\d+)(\.\d+)?$/,
}
const PLAIN_NUMBER = /^[+-]?\d+(\.\d+)?$/
const AMOUNT = /^(?<before>[^\d+-]*)(?<number>[+-]?\d(?:.*\d)?)(?<after>\D*)$/u

/** The number of a text in a notation; null: it is none. */
export function parseNumber(text: string, locale: NumberLocale): number | null {
  const trimmed = text.trim()
  if (!GROUPED[locale].test(trimmed)) return null
  const { decimal, groups } = MARKS[locale]
  return Number(trimmed.replaceAll(groups, '').replace(decimal, '.'))
}

/** Number and unit of a text such as “1.234,50 €” or “12 kg”; null: it is none. A unit may precede or follow the number. */
export function parseAmount(text: string, locale: NumberLocale): { number: number; unit: string } | null {
  const { before = '', number = '', after = '' } = AMOUNT.exec(text.trim())?.groups ?? {}
  const parsed = parseNumber(number, locale)
  const units = [before.trim(), after.trim()].filter((unit) => unit !== '')
  return parsed === null || units.length > 1 ? null : { number: parsed, unit: units[0] ?? '' }
}

/** The number of a value: a number, or a text in plain notation such as 12.5; null: it is none. */
export function numberOf(value: CellValue): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && PLAIN_NUMBER.test(value.trim()) ? Number(value) : null
}

const ORDERS = { dmy: [2, 1, 0], mdy: [2, 0, 1], ymd: [0, 1, 2] } as const

/** A date as year-month-day; null: the text is no date in this order. Years have four digits. */
export function parseDate(text: string, order: keyof typeof ORDERS): string | null {
  const parts = text.trim().split(/[./-]/)
  const [year = '', month = '', day = ''] = ORDERS[order].map((at) => parts[at] ?? '')
  if (parts.length !== 3 || !/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day))
    return null
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(date) ? date : null
}

function isDate(text: string): boolean {
  const [date = ''] = /^\d{4}-\d{2}-\d{2}(?=$|[T ]\d{2}:\d{2})/.exec(text) ?? []
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}

const LENGTHS: Record<(FieldCheck & { kind: 'check_digit' })['code'], readonly number[]> = {
  gtin: [8, 12, 13, 14],
  ean: [8, 13],
  upc: [12],
  isbn: [13],
}

function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let n = 0; n < digits.length; n += 1)
    sum += Number(digits[digits.length - 1 - n]) * (n % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

function isIsbn10(text: string): boolean {
  if (!/^\d{9}[\dXx]$/.test(text)) return false
  const sum = [...text].reduce((all, digit, n) => all + (10 - n) * (/x/i.test(digit) ? 10 : Number(digit)), 0)
  return sum % 11 === 0
}

type Code = keyof typeof LENGTHS

/** Whether a code has a valid length and check digit. Blanks and hyphens are ignored in ISBNs. */
export function isCode(text: string, code: Code): boolean {
  const bare = code === 'isbn' ? text.replaceAll(/[\s-]/g, '') : text.trim()
  if (code === 'isbn' && isIsbn10(bare)) return true
  if (!/^\d+$/.test(bare) || !LENGTHS[code].includes(bare.length)) return false
  return hasCheckDigit(bare) && (code !== 'isbn' || /^97[89]/.test(bare))
}

/** The code with the leading zeros that a spreadsheet removed; null: zeros do not make it valid, or it is valid. */
export function repairedCode(value: CellValue, code: Code): string | null {
  const text = value === null ? '' : String(value).trim()
  if (isCode(text, code) || !/^\d{5,13}$/.test(text)) return null
  const padded = [...LENGTHS[code], ...(code === 'isbn' ? [10] : [])]
    .filter((length) => length > text.length)
    .map((length) => text.padStart(length, '0'))
  return padded.find((one) => isCode(one, code)) ?? null
}

/** Whether a field has no value. */
export const isBlankValue = (value: CellValue): boolean =>
  value === null || (typeof value === 'string' && value.trim() === '')

const EMAIL = /^[^\s@]{1,64}@[^\s@]+\.[^\s@.]{2,}$/
const IMAGE = /\.(jpe?g|png|gif|webp|svg|avif|bmp|tiff?)$/i

const URL_PARTS = /^https?:\/\/[^\s/?#@]+(?<path>\/[^\s?#]*)?(\?[^\s#]*)?(#\S*)?$/i

const TYPES: Record<(FieldCheck & { kind: 'type' })['type'], (checked: CheckedValue) => boolean> = {
  number: ({ value }) => numberOf(value) !== null,
  integer: ({ value }) => Number.isSafeInteger(numberOf(value)),
  date: ({ value, is_date }) => (typeof value === 'number' ? is_date : isDate(String(value))),
  boolean: ({ value }) => typeof value === 'boolean' || /^(true|false)$/i.test(String(value).trim()),
  url: ({ value }) => URL_PARTS.test(String(value)),
  email: ({ value }) => typeof value === 'string' && value.length <= 254 && EMAIL.test(value),
  image_url: ({ value }) => IMAGE.test(URL_PARTS.exec(String(value))?.groups?.path ?? ''),
}

const OPERATORS: Record<(FieldCheck & { kind: 'compare' })['operator'], (order: number) => boolean> = {
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '>=': (order) => order >= 0,
  '>': (order) => order > 0,
}

/** Numbers are compared as numbers, everything else as text. */
function compareValues(one: CellValue, other: CellValue): number {
  const [left, right] = [numberOf(one), numberOf(other)]
  if (left !== null && right !== null) return left - right
  const [text, other_text] = [String(one), String(other)]
  return text < other_text ? -1 : Number(text > other_text)
}

const within = (number: number | null, { min, max }: { min: number | null; max: number | null }) =>
  number !== null && (min === null || number >= min) && (max === null || number <= max)

/**
 * The test of a check for one value. Blank values pass every check but `required`; checks of all records together (`unique`, `median`)
 * pass here.
 */
export function testOf(check: FieldCheck, tools: CheckTools): CheckTest {
  if (check.kind === 'required') return ({ value }) => !isBlankValue(value)
  const test = filledTest(check, tools)
  return (checked, other) => isBlankValue(checked.value) || test(checked, other)
}

function filledTest(check: FieldCheck, tools: CheckTools): CheckTest {
  switch (check.kind) {
    case 'type':
      return TYPES[check.type]
    case 'range':
      return ({ value }) => within(numberOf(value), check)
    case 'length':
      return ({ value }) => within(String(value).length, check)
    case 'one_of': {
      const values = new Set(check.values)
      return ({ value }) => values.has(String(value))
    }
    case 'one_of_column': {
      const values = tools.list(check)
      return ({ value }) => values === null || values.has(String(value))
    }
    case 'pattern': {
      const matches = tools.matcher(check.pattern)
      return ({ value }) => matches(String(value))
    }
    case 'check_digit':
      return ({ value }) => isCode(String(value), check.code)
    case 'amount':
      return ({ value }) => isAmount(value, check)
    case 'compare': {
      const holds = OPERATORS[check.operator]
      return ({ value }, other) => isBlankValue(other) || holds(compareValues(value, other))
    }
    default:
      return () => true
  }
}

/** Whether a median has moved by more than a percentage of its former value. Nothing moves without two medians. */
export const hasMoved = (before: number | null, after: number | null, percent: number): boolean =>
  before !== null && after !== null && Math.abs(after - before) * 100 > Math.abs(before) * percent

function isAmount(value: CellValue, { locale, units }: FieldCheck & { kind: 'amount' }): boolean {
  const amount = typeof value === 'number' ? { unit: '' } : parseAmount(String(value), locale)
  return amount !== null && (units.length === 0 || units.includes(amount.unit))
}

/** A value after the steps of its field. Steps that do not apply to a value leave it as it is. */
export const normalised = (value: CellValue, steps: readonly RuleStep[]): CellValue =>
  steps.reduce<CellValue>(afterStep, value)

function afterStep(value: CellValue, step: RuleStep): CellValue {
  if (value === null || typeof value === 'boolean') return value
  if (step.kind === 'map') return step.values.find(({ from }) => from === String(value))?.to ?? value
  if (step.kind === 'zeros') return repairedCode(value, step.code) ?? value
  if (typeof value === 'number') return value
  switch (step.kind) {
    case 'trim':
      return value.trim().replaceAll(/\s+/g, ' ')
    case 'case':
      return inCase(value, step.to)
    case 'number':
      return parseNumber(value, step.locale) ?? value
    case 'amount':
      return parseAmount(value, step.locale)?.[step.part] ?? value
    case 'date':
      return parseDate(value, step.order) ?? value
  }
}

function inCase(text: string, to: 'upper' | 'lower' | 'title'): string {
  if (to === 'upper') return text.toUpperCase()
  const lower = text.toLowerCase()
  return to === 'lower'
    ? lower
    : lower.replaceAll(/(?<![\p{L}\p{N}])\p{L}/gu, (letter) => letter.toUpperCase())
}
