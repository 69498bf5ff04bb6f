import type { NumberFormat } from '../../contract/tables.ts'
import { formatAt, type StoredFormat } from './column-format.ts'

// SKUs and other keys of different tables are compared as trimmed texts in Unicode form NFC, case-sensitively. A number with a zero-padding
// format is compared as displayed.

/** 00000, 00-000, 000 00: only zeros, grouped by hyphens or spaces. */
const PADDING = /^0[0 -]*0$/
/** Whole numbers that JSON writes without an exponent. */
export const WHOLE_NUMBER = /^\d{1,15}$/

/** A SKU in the form in which it is compared. */
export const plainSku = (sku: string): string => sku.normalize('NFC').trim()

/** The pattern with which a format pads whole numbers; null: it does not pad. */
export function paddingOf(format: NumberFormat | null): string | null {
  const pattern = format?.pattern
  return pattern !== undefined && PADDING.test(pattern) ? pattern : null
}

/** Whether a column pads numbers in any of its rows. */
export const padsSkus = ({ format, runs }: StoredFormat): boolean =>
  paddingOf(format) !== null || (runs?.some((run) => paddingOf(run.format) !== null) ?? false)

/** A number, given as JSON, as its cell shows it; null if the format of its row does not pad it. */
export function paddedSku(json: string, column: StoredFormat, row_no: number): string | null {
  const pattern = paddingOf(formatAt(column, row_no))
  if (pattern === null || !WHOLE_NUMBER.test(json)) return null
  const digits = [...json]
  // Digits fill the pattern from the right; surplus digits stay in front.
  const shown = [...pattern].reverse().map((sign) => (sign === '0' ? (digits.pop() ?? '0') : sign))
  return [...digits, ...shown.reverse()].join('')
}
