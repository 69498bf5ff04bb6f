import { format as applyPattern, getLocale } from 'numfmt'
import type { CellFormat, NumberFormat, NumberFormatType } from '../model/cell-format.ts'
import { CellError, type Result } from '../model/content.ts'

/** Patterns of format types without a pattern. Dates depend on the locale. */
const PATTERNS = {
  TEXT: () => '@',
  NUMBER: () => '#,##0.00',
  PERCENT: () => '0.00%',
  CURRENCY: () => '"$"#,##0.00',
  DATE: datePattern,
  TIME: () => 'h:mm:ss am/pm',
  DATE_TIME: (locale) => `${datePattern(locale)} h:mm:ss`,
  SCIENTIFIC: () => '0.00E+00',
} satisfies Record<NumberFormatType, (locale: string) => string>

/** True for date, time and duration formats. */
export function isDateFormat({ numberFormat }: CellFormat): boolean {
  return numberFormat?.type === 'DATE' || numberFormat?.type === 'TIME' || numberFormat?.type === 'DATE_TIME'
}

/** Displayed text of a value in a locale. An unsupported pattern shows the plain number. */
export function shownText(value: Result, { numberFormat }: CellFormat, locale: string): string {
  if (value === null) return ''
  if (value instanceof CellError) return value.text
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') {
    const pattern = numberFormat && patternOf(numberFormat, locale)
    const plain = !pattern || pattern === '@' || numberFormat.type === 'TEXT' || /^general$/i.test(pattern)
    return plain ? localNumber(value, locale) : applied(pattern, value, locale)
  }
  const pattern = numberFormat?.pattern
  return pattern?.includes('@') && pattern !== '@' ? applied(pattern, value, locale) : value
}

function localNumber(value: number, locale: string): string {
  const text = plainNumber(value)
  return locale.startsWith('en') ? text : text.replace('.', getLocale(locale)?.decimal ?? '.')
}

/** Number without a format: ten significant digits, scientific from 1E+15 and if ten decimals are not enough. */
function plainNumber(value: number): string {
  if (Number.isSafeInteger(value) && Math.abs(value) < 1e15) return String(value)
  const exact = String(value)
  const size = Math.abs(value)
  if (exact.length <= 11 && size >= 1e-4 && size < 1e15 && !exact.includes('e')) return exact
  if (size >= 1e15) return scientific(value.toExponential(5))
  const rounded = Number(value.toPrecision(10))
  const text = String(rounded)
  const fixed = text.includes('e') ? withoutZeros(rounded.toFixed(10)) : text
  return size < 1e-4 && (fixed.length > 12 || Number(fixed) !== rounded)
    ? scientific(rounded.toExponential(9))
    : fixed
}

/** Pattern of a number format: its own, or the default of its type in the locale. */
export function patternOf({ type, pattern }: NumberFormat, locale = 'en_US'): string {
  return pattern ?? PATTERNS[type](locale)
}

function applied(pattern: string, value: number | string, locale: string): string {
  // numfmt wraps negative durations at 24 hours.
  if (typeof value === 'number' && value < 0 && /^\[(?:h+|m+|s+)\]/i.test(pattern)) {
    return `-${applied(pattern, -value, locale)}`
  }
  return applyPattern(pattern, value, { leap1900: false, throws: false, invalid: String(value), locale })
}

/** Numeric date pattern with the order and separators of the locale. */
function datePattern(locale: string): string {
  const letters: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {
    year: 'yyyy',
    month: 'm',
    day: 'd',
  }
  const [supported] = Intl.DateTimeFormat.supportedLocalesOf(
    locale.replace('_', '-').split(/[^\w-]/)[0] || 'en-US',
  )
  const parts = new Intl.DateTimeFormat(supported ?? 'en-US', { calendar: 'gregory' }).formatToParts(0)
  return parts.map(({ type, value }) => letters[type] ?? value).join('')
}

function scientific(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  return `${withoutZeros(mantissa)}E${exponent.startsWith('-') ? '-' : '+'}${digits}`
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : text
}
