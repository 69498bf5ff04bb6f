import { type RawBuilder, sql } from 'kysely'
import type { NumberFormat } from '../../../../contract/tables.ts'
import { formatAt, type StoredFormat } from '../../../snapshots/column-format.ts'

// 00000, 00-000, 000 00: zeros alone, in groups that a hyphen or a blank parts.
const PADDING = /^0[0 -]*0$/
/** Digits of a whole number that JSON writes as they are. */
const WHOLE = /^\d{1,15}$/

/** The pattern by which a format pads whole numbers with zeros; null: it does not. */
function paddingOf(format: NumberFormat | null): string | null {
  const pattern = format?.pattern
  return pattern !== undefined && PADDING.test(pattern) ? pattern : null
}

/** Whether a column pads numbers in any of its rows. */
export const padsSkus = ({ format, runs }: StoredFormat): boolean =>
  paddingOf(format) !== null || (runs?.some((run) => paddingOf(run.format) !== null) ?? false)

/** A number as its cell shows it, given as JSON writes it, where the format of its row pads it; null where that is not so. */
export function paddedSku(json: string, column: StoredFormat, row_no: number): string | null {
  const pattern = paddingOf(formatAt(column, row_no))
  if (pattern === null || !WHOLE.test(json)) return null
  const digits = [...json]
  // From the right; digits that are more than the zeros stand before the first group.
  const shown = [...pattern].reverse().map((sign) => (sign === '0' ? (digits.pop() ?? '0') : sign))
  return [...digits, ...shown.reverse()].join('')
}

/** The same in a query: `cell` is the cell's JSON as text, null for a text cell, and `row_no` its row. */
export function paddedSkuSql(
  { format, runs }: StoredFormat,
  { cell, row_no }: { cell: RawBuilder<unknown>; row_no: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const starts = runs?.map(({ row }) => row) ?? [1]
  const patterns = (runs ?? [{ format }]).map((run) => paddingOf(run.format))
  const pattern = sql`(${patterns}::text[])[width_bucket(${row_no}::int, ${starts}::int[])]`
  const shown = sql`to_char((${cell})::numeric, ${`FM${'9'.repeat(15)}`} || ${pattern})`
  return sql`case when ${cell} ~ ${WHOLE.source} and ${pattern} is not null then ${shown} end`
}
