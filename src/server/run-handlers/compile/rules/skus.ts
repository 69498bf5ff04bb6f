import type { NumberFormat } from '../../../../contract/tables.ts'
import { formatAt, type StoredFormat } from '../../../snapshots/column-format.ts'

// How SKUs of different sources are matched: as trimmed texts in Unicode form NFC, letter by letter. A number counts as its cell shows
// it if its format pads it with zeros. A mapping then replaces a source's SKU by the master's.

/** 00000, 00-000, 000 00: only zeros, grouped by hyphens or blanks. */
const PADDING = /^0[0 -]*0$/
/** Whole numbers that JSON writes without an exponent. */
export const WHOLE_NUMBER = /^\d{1,15}$/

/** A SKU in the form in which it is compared. */
export const plainSku = (sku: string): string => sku.normalize('NFC').trim()

/** The mappings of a source, with both SKUs in the form in which they are compared. */
export const plainMappings = (sku_mappings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(sku_mappings).map(([sku, master]) => [plainSku(sku), plainSku(master)]))

/**
 * The SKU that a row counts under. `padded`: how its cell shows a number that its format pads; null for other cells. A mapping of the
 * unpadded number applies too: it may date from when numbers were not padded.
 */
export function matchedSku(
  mappings: ReadonlyMap<string, string>,
  { sku, padded }: { sku: string; padded: string | null },
): string {
  return (padded === null ? undefined : mappings.get(padded)) ?? mappings.get(sku) ?? padded ?? sku
}

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
