import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { NumberFormat } from '../../contract/tables.ts'

/** From a data row on, counted from 1, the cells of a column have this format. */
const FormatRun = z.object({ row: z.int(), format: z.nullable(NumberFormat) })

/** The formats of a column in the order of its rows: the first run begins with row 1, the last one reaches to the end. */
export const FormatRuns = z.array(FormatRun)
export type FormatRuns = z.infer<typeof FormatRuns>

/** How the numbers of a column are shown: the format of most of its cells, null is automatic; `runs` where not all cells have it. */
export type StoredFormat = { format: NumberFormat | null; runs: FormatRuns | null }

/** Runs of all columns of one table that are kept; each of them is a request of its own within a commit. */
export const MAX_FORMAT_RUNS = 10_000

const NO_FORMAT: StoredFormat = { format: null, runs: null }

/** The format in a data row. Row 0, a row that is not known, has that of most cells. */
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

/** The formats of a table, column by column; a column beyond them has none. */
export class TableFormats {
  readonly columns: readonly StoredFormat[]

  constructor(columns: readonly StoredFormat[]) {
    this.columns = columns
  }

  /** From what is stored of a snapshot. */
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

  /** As a snapshot stores them: a format for each column, and the runs of those that have any. */
  get stored(): { formats: (NumberFormat | null)[]; format_runs: Record<string, FormatRuns> } {
    return {
      formats: this.columns.map(({ format }) => format),
      format_runs: Object.fromEntries(this.columns.flatMap(({ runs }, n) => (runs ? [[n, runs]] : []))),
    }
  }
}

const Formats = z.array(z.nullable(NumberFormat))
const Runs = z.record(z.string(), FormatRuns)

/** A format that data rows of a column are given, from row `from` up to, not including, `to`; null is down to the end. */
export type FormatChange = { from: number; to: number | null; format: NumberFormat | null }

/** What turns the formats of a column into others. `before` null: nothing is known of them. */
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
