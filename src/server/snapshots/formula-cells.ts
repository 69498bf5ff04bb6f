import { z } from 'zod'

/** Cells of a table, in rows counted from the header row and columns counted from 0. */
export type CellPlaces = readonly { row: number; column: number }[]

/** Row numbers by column. */
const Stored = z.record(z.string(), z.array(z.int()))

export function storedCells(cells: CellPlaces): z.infer<typeof Stored> {
  const byColumn = Map.groupBy(cells, ({ column }) => String(column))
  return Object.fromEntries([...byColumn].map(([column, some]) => [column, some.map(({ row }) => row)]))
}

/** The cells in row order and then column order. */
export const parseCells = (stored: unknown): CellPlaces =>
  Object.entries(Stored.parse(stored))
    .flatMap(([column, rows]) => rows.map((row) => ({ row, column: Number(column) })))
    .sort((one, other) => one.row - other.row || one.column - other.column)
