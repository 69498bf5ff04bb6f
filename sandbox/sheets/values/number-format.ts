import { format as applyPattern } from 'numfmt'
import type { CellFormat, NumberFormat, NumberFormatType } from '../model/cell-format.ts'
import { CellError, type Result } from '../model/content.ts'

/** What a format type without a pattern means in en_US. */
const PATTERNS: Readonly<Record<NumberFormatType, string>> = {
  TEXT: '@',
  NUMBER: '#,##0.00',
  PERCENT: '0.00%',
  CURRENCY: '"$"#,##0.00',
  DATE: 'm/d/yyyy',
  TIME: 'h:mm:ss am/pm',
  DATE_TIME: 'm/d/yyyy h:mm:ss',
  SCIENTIFIC: '0.00E+00',
}

/** Whether cells of that format show dates, times or durations. */
export function isDateFormat({ numberFormat }: CellFormat): boolean {
  return numberFormat?.type === 'DATE' || numberFormat?.type === 'TIME' || numberFormat?.type === 'DATE_TIME'
}

/** What a reader sees in a cell. Patterns that cannot be used show the plain number, as an absent one does. */
export function shownText(value: Result, { numberFormat }: CellFormat): string {
  if (value === null) return ''
  if (value instanceof CellError) return value.text
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  if (typeof value === 'number') return numberFormat ? withPattern(value, numberFormat) : plainNumber(value)
  const pattern = numberFormat?.pattern
  return pattern?.includes('@') && pattern !== '@' ? applied(pattern, value) : value
}

/** A number without a format: ten significant digits, scientific from 1E+15 and where ten decimals are too few. */
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

/** The pattern that a number format stands for: its own, else its type's. */
export function patternOf({ type, pattern }: NumberFormat): string {
  return pattern ?? PATTERNS[type]
}

function withPattern(value: number, numberFormat: NumberFormat): string {
  const wanted = patternOf(numberFormat)
  if (numberFormat.type === 'TEXT' || wanted === '@') return plainNumber(value)
  return /^general$/i.test(wanted) ? plainNumber(value) : applied(wanted, value)
}

function applied(pattern: string, value: number | string): string {
  // numfmt wraps negative durations at a day.
  if (typeof value === 'number' && value < 0 && /^\[(?:h+|m+|s+)\]/i.test(pattern)) {
    return `-${applied(pattern, -value)}`
  }
  return applyPattern(pattern, value, { leap1900: false, nbsp: false, throws: false, invalid: String(value) })
}

function scientific(text: string): string {
  const [mantissa = '', exponent = ''] = text.split('e')
  const digits = exponent.slice(1).padStart(2, '0')
  return `${withoutZeros(mantissa)}E${exponent.startsWith('-') ? '-' : '+'}${digits}`
}

function withoutZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
