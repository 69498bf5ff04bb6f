import { NumberFormat, type Row } from '../../contract/tables.ts'
import { type FormatRuns, MAX_FORMAT_RUNS } from '../snapshots/column-format.ts'
import type { ColumnFormat } from './connector.ts'

/** A format as JSON, so that formats can be compared; '' means none. */
export const formatKey = (format: NumberFormat | null): string =>
  format === null ? '' : JSON.stringify(format)

const parseKey = (key: string): NumberFormat | null =>
  key === '' ? null : NumberFormat.parse(JSON.parse(key))

/**
 * Collects the formats of one column's cells, row by row. Skipped cells count as having the format of the cell above.
 */
export class FormatCollector {
  readonly #cells = new Map<string, number>()
  readonly #runs: { row: number; key: string }[] = []

  /** Adds cells from a data row on, counted from 1. */
  add(row: number, key: string, cells = 1): void {
    this.#cells.set(key, (this.#cells.get(key) ?? 0) + cells)
    // One more than the limit is kept, so that the caller can see that it was exceeded.
    if (this.#runs.length <= MAX_FORMAT_RUNS && this.#runs.at(-1)?.key !== key) this.#runs.push({ row, key })
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  get runs(): FormatRuns {
    return this.#runs.map(({ row, key }, n) => ({ row: n === 0 ? 1 : row, format: parseKey(key) }))
  }

  /** The most frequent format (the first of equally frequent ones), and the runs if the column has several. */
  get column(): ColumnFormat {
    const [most] = [...this.#cells].sort(([, one], [, other]) => other - one)
    const mixed = this.#cells.size > 1
    return { format: parseKey(most?.[0] ?? ''), runs: mixed ? this.runs : null, mixed }
  }
}

/** The formats of sampled cells that hold a value, without runs. `keyAt` returns a cell's format key. */
export function sampledFormats(
  sample: Row[],
  keyAt: (index: number, column: number) => string,
): ColumnFormat[] {
  const columns = Math.max(0, ...sample.map((row) => row.length))
  return Array.from({ length: columns }, (_, column) => {
    const collector = new FormatCollector()
    for (const [index, row] of sample.entries())
      if ((row[column] ?? null) !== null) collector.add(index + 1, keyAt(index, column))
    return { ...collector.column, runs: null }
  })
}

/** Drops the runs of the columns with the most runs until the table is within the limit. */
export function withinRunLimit(columns: readonly ColumnFormat[]): ColumnFormat[] {
  let total = columns.reduce((sum, { runs }) => sum + (runs?.length ?? 0), 0)
  const most_first = [...columns.keys()].sort(
    (a, b) => (columns[b]?.runs?.length ?? 0) - (columns[a]?.runs?.length ?? 0),
  )
  const dropped = new Set<number>()
  for (const column of most_first) {
    if (total <= MAX_FORMAT_RUNS) break
    dropped.add(column)
    total -= columns[column]?.runs?.length ?? 0
  }
  return columns.map((format, column) => (dropped.has(column) ? { ...format, runs: null } : format))
}
