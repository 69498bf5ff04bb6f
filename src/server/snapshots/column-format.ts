import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { NumberFormat } from '../../contract/tables.ts'

/** Cells of a column have this format from data row `row` (counted from 1) on. */
const FormatRun = z.object({ row: z.int(), format: z.nullable(NumberFormat) })

/** The formats of a column in row order. The first run starts at row 1, the last one extends to the end. */
export const FormatRuns = z.array(FormatRun)
export type FormatRuns = z.infer<typeof FormatRuns>

/** The number format of a column: that of most of its cells (null: automatic), and `runs` if not all cells have it. */
export type StoredFormat = { format: NumberFormat | null; runs: FormatRuns | null }

/** Maximum number of runs of a table, all columns together. Each is one request of a commit. */
export const MAX_FORMAT_RUNS = 10_000

const NO_FORMAT: StoredFormat = { format: null, runs: null }

/** The format in a data row. Row 0 means that the row is unknown; it has the format of most cells. */
export function formatAt({ format, runs }: StoredFormat, row: number): NumberFormat | null {
  if (runs === null || row < 1) return format
  let first = 0
  for (let end = runs.length; end - first > 1; ) {
    const middle = (first + end) >> 1
    if ((runs[middle]?.row ?? 0) <= row) first = middle
    else end = middle
  }
  return runs[first]?.format ?? null
}

/** The formats of a table by column. Columns beyond the list have no format. */
export class TableFormats {
  readonly columns: readonly StoredFormat[]

  constructor(columns: readonly StoredFormat[]) {
    this.columns = columns
  }

  /** From the columns of `snapshots`. */
  static parse({ formats, format_runs }: { formats: unknown; format_runs: unknown }): TableFormats {
    const runs = Runs.parse(format_runs)
    return new TableFormats(Formats.parse(formats).map((format, n) => ({ format, runs: runs[n] ?? null })))
  }

  of(column: number): StoredFormat {
    return this.columns[column] ?? NO_FORMAT
  }

  at(row: number, column: number): NumberFormat | null {
    return formatAt(this.of(column), row)
  }

  /** As `snapshots` stores them: a format per column, and the runs by column index. */
  get stored(): { formats: (NumberFormat | null)[]; format_runs: Record<string, FormatRuns> } {
    return {
      formats: this.columns.map(({ format }) => format),
      format_runs: Object.fromEntries(this.columns.flatMap(({ runs }, n) => (runs ? [[n, runs]] : []))),
    }
  }
}

const Formats = z.array(z.nullable(NumberFormat))
const Runs = z.record(z.string(), FormatRuns)

/** Sets the format of a column from data row `from` up to, not including, `to` (null: to the end). */
export type FormatChange = { from: number; to: number | null; format: NumberFormat | null }

/** The changes from one column format to another. `before` null: unknown, so all rows are set. */
export function formatChanges(before: StoredFormat | null, after: StoredFormat): FormatChange[] {
  const wanted = runsOf(after)
  const known = before && runsOf(before)
  const rows = [...new Set([...wanted, ...(known ?? [])].map(({ row }) => row))].sort((a, b) => a - b)
  const changes: FormatChange[] = []
  for (const [n, from] of rows.entries()) {
    const format = formatAt(after, from)
    if (before && isDeepStrictEqual(formatAt(before, from), format)) continue
    const to = rows[n + 1] ?? null
    const last = changes.at(-1)
    if (last?.to === from && isDeepStrictEqual(last.format, format)) last.to = to
    else changes.push({ from, to, format })
  }
  return changes
}

const runsOf = ({ format, runs }: StoredFormat): FormatRuns => runs ?? [{ row: 1, format }]
