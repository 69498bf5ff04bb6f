import { NumberFormat, type Row } from '../../contract/tables.ts'
import { type FormatRuns, MAX_FORMAT_RUNS } from '../snapshots/column-format.ts'
import type { ColumnFormat } from './connector.ts'

/** A format by which columns are judged: as JSON, '' is none. */
export const formatKey = (format: NumberFormat | null): string =>
  format === null ? '' : JSON.stringify(format)

const parseKey = (key: string): NumberFormat | null =>
  key === '' ? null : NumberFormat.parse(JSON.parse(key))

/** Collects the formats of the cells of one column, row by row; cells that are left out have that of the one above. */
export class FormatCollector {
  readonly #cells = new Map<string, number>()
  readonly #runs: { row: number; key: string }[] = []

  /** Adds the cells from a data row on, which counts from 1. */
  add(row: number, key: string, cells = 1): void {
    this.#cells.set(key, (this.#cells.get(key) ?? 0) + cells)
    // One more than are kept says that they are too many.
    if (this.#runs.length <= MAX_FORMAT_RUNS && this.#runs.at(-1)?.key !== key) this.#runs.push({ row, key })
  }

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  get runs(): FormatRuns {
    return this.#runs.map(({ row, key }, n) => ({ row: n === 0 ? 1 : row, format: parseKey(key) }))
  }

  /** The format that most cells have, of equally frequent ones the first, and the runs of a column with several. */
  get column(): ColumnFormat {
    const [most] = [...this.#cells].sort(([, one], [, other]) => other - one)
    const mixed = this.#cells.size > 1
    return { format: parseKey(most?.[0] ?? ''), runs: mixed ? this.runs : null, mixed }
  }
}

/** The formats of the cells in `sample` that hold a value, of which no runs are known; `keyAt` answers that of one of its cells. */
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

/** Columns of one table without the runs of those that have the most, where they are more than are kept. */
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
