import { isDeepStrictEqual } from 'node:util'
import type { ColumnFormat, JudgedFormats, ReadPart } from '../../../connectors/connector.ts'
import { NO_FORMAT } from '../../../connectors/connector.ts'
import { type FormatRuns, MAX_FORMAT_RUNS } from '../../../snapshots/column-format.ts'
import { named, type PartSource } from './consolidated-read.ts'

/** The formats of several sources one below the other: each row has that of its source. */
export async function consolidatedFormats(
  sources: readonly PartSource[],
  parts: readonly ReadPart[],
  isExcluded: (column: number) => boolean,
): Promise<JudgedFormats> {
  const judged: JudgedFormats[] = []
  for (const part of parts) {
    const skipped = part.columns.flatMap((column, place) =>
      column !== null && isExcluded(place) ? column : [],
    )
    judged.push(
      (await named(part.source, async () =>
        sources[part.source]?.formats({
          sample: part.sample,
          rows: part.rows,
          isExcluded: (column) => skipped.includes(column),
        }),
      )) ?? { columns: [], sample_rows: null },
    )
  }
  const columns = joinFormats(
    (parts[0]?.columns ?? []).map((_, place) =>
      parts.flatMap(({ columns, first_row, rows }, index) => {
        const column = columns[place]
        if (column === null || column === undefined || rows === 0) return []
        return { first_row, rows, ...(judged[index]?.columns[column] ?? NO_FORMAT) }
      }),
    ),
  )
  const sampled = judged.flatMap(({ sample_rows }) => sample_rows ?? [])
  return { columns, sample_rows: sampled.length === 0 ? null : sampled.reduce((sum, rows) => sum + rows, 0) }
}

/** The format of a column in some rows, which begin at `first_row` of those of all parts, counted from 1. */
type PartFormat = ColumnFormat & { first_row: number; rows: number }

/** The formats of columns whose parts stand one below the other. Columns with too many changes get one format. */
export function joinFormats(columns: readonly (readonly PartFormat[])[]): ColumnFormat[] {
  let left = MAX_FORMAT_RUNS
  return columns.map((parts) => {
    const format = joined(parts)
    const runs = format.runs && format.runs.length <= left ? format.runs : null
    left -= runs?.length ?? 0
    return { ...format, runs }
  })
}

/** The format of a column. Rows of sources without the column are blank in it, and have the format above them. */
function joined(parts: readonly PartFormat[]): ColumnFormat {
  const [largest] = [...parts].sort((one, other) => other.rows - one.rows)
  if (!largest) return NO_FORMAT
  const runs: FormatRuns = []
  for (const { first_row, runs: own, format } of parts)
    for (const run of own ?? [{ row: 1, format }]) {
      if (runs.length > 0 && isDeepStrictEqual(runs.at(-1)?.format, run.format)) continue
      runs.push({ row: runs.length === 0 ? 1 : first_row + run.row - 1, format: run.format })
    }
  const isOne = runs.length <= 1
  const mixed = !isOne || parts.some((part) => part.mixed)
  return { format: largest.format, runs: isOne ? null : runs, mixed }
}
