import { format } from 'numfmt'
import type { CellValue, NumberFormat } from '../../../contract/tables.ts'

// Google's default patterns of types without a pattern.
const patterns = new Map([
  ['NUMBER', '#,##0.00'],
  ['PERCENT', '0.00%'],
  ['CURRENCY', '"$"#,##0.00'],
  ['DATE', 'm/d/yyyy'],
  ['TIME', 'h:mm:ss am/pm'],
  ['DATE_TIME', 'm/d/yyyy h:mm:ss'],
  ['SCIENTIFIC', '0.00E+00'],
])

/** Text of a cell as its sheet shows it: numbers in the format of their column, other values unchanged. */
export function cellText(value: CellValue | undefined, number_format?: NumberFormat | null): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return String(value).toUpperCase()
  const pattern = typeof value === 'number' && number_format ? patternOf(number_format) : undefined
  return pattern === undefined ? String(value) : applied(pattern, Number(value))
}

/** The text on one line, for rows of fixed height; line breaks become a visible sign. */
export const onOneLine = (text: string): string => text.replace(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/g, ' ↵ ')

const patternOf = ({ type, pattern }: NumberFormat) =>
  type === 'TEXT' || pattern === '@' ? undefined : (pattern ?? patterns.get(type))

// Falls back to the plain number if the library rejects the pattern.
function applied(pattern: string, value: number): string {
  // The library wraps negative durations at 24 hours.
  if (value < 0 && /^\[(?:h+|m+|s+)\]/i.test(pattern)) return `-${applied(pattern, -value)}`
  return format(pattern, value, { leap1900: false, throws: false, invalid: String(value) })
}
