import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, WrittenCells } from '../../../connectors/connector.ts'
import { hashBeside } from './beside-rows.ts'
import { type PutBack, rowsToPutBack } from './put-back.ts'
import type { TargetRows } from './target-rows.ts'

/** A commit to matched rows, as it was to be. Rows count from 1. */
export type RowCommit = {
  /** The target's rows before it. */
  before: TargetRows
  /** A row as it was to leave it. */
  wanted: (row: number) => Row
  /** Whether a row of the target is none of the task's. */
  isOthers: (row: number) => boolean
  written: Pick<WrittenCells, 'columns' | 'keys' | 'isWhole'>
  /** Rows in which it was to restore cells that an earlier commit of the run had overwritten. */
  restoring: ReadonlySet<number>
  /** Cells with formulas of other people. */
  formulas: readonly CellPlace[]
  isStaged: boolean
}

/**
 * The rows of a target with the cells that a commit overwrote restored. `formulas`: those of them that were formulas of other editors.
 * `restored`: row numbers. `keyless`: rows whose keys are restored, too. `put_back`: restored cells of other editors.
 */
export type Restored = {
  rows: TargetRows
  formulas: CellPlace[]
  restored: ReadonlySet<number>
  keyless: ReadonlySet<number>
  put_back: CellPlace[]
}

export const nothingToRestore = (rows: TargetRows): Restored => ({
  ...{ rows, formulas: [], restored: new Set(), keyless: new Set(), put_back: [] },
})

/** Returns the rows of the target with the former values of cells that a commit overwrote because another editor had sorted or cleared rows. */
export function restoreRows({ formulas, ...commit }: RowCommit, now: TargetRows): Restored {
  const { before, written } = commit
  const { beside } = before
  const width = beside?.from ?? before.width
  // The hash of the cells to the right is compared like one more cell.
  const known = (row: Row, hash: number | null) =>
    hash === null ? row.slice(0, width) : [...padded(row, width), hash]
  const { rows, cells } = rowsToPutBack({
    ...commit,
    before: {
      length: before.length,
      row: (row) => known(before.row(row), beside?.hashOf(row) ?? null),
    },
    now: {
      length: now.length,
      row: (row) => known(now.row(row), beside && hashBeside(now.row(row).slice(width))),
    },
  })
  const restored = new Map(
    [...rows].map(([row, { cells }]) => {
      const unknown = now.row(row).slice(width)
      return [row, unknown.length === 0 ? cells.slice(0, width) : [...padded(cells, width), ...unknown]]
    }),
  )
  const isKeyless = ([row, cells]: [number, Row]) => {
    const present = now.row(row)
    return written.keys.some((column) => (cells[column] ?? null) !== (present[column] ?? null))
  }
  return {
    rows: now.with(restored),
    formulas: formulasIn(rows, formulas),
    restored: new Set(restored.keys()),
    keyless: new Set([...restored].filter(isKeyless).map(([row]) => row)),
    put_back: cells,
  }
}

const padded = (cells: Row, length: number): Row =>
  Array.from({ length }, (_, column) => cells[column] ?? null)

/** Cells of the rows that were formulas. `before`: those before the commit. */
function formulasIn(rows: PutBack['rows'], before: readonly CellPlace[]): CellPlace[] {
  const byRow = Map.groupBy(before, ({ row }) => row)
  return [...rows].flatMap(([row, from]) =>
    (byRow.get(from.before) ?? []).map(({ column }) => ({ row, column })),
  )
}
