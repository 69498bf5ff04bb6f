import type { Row } from '../../../../contract/tables.ts'
import type { FormatRuns } from '../../../snapshots/column-format.ts'
import type { RowSet } from '../../../snapshots/row-set.ts'
import type { NumberedCells } from '../../connector.ts'
import type { CellArea } from '../workbook/cell-area.ts'
import type { PatchRow } from '../workbook/tab-change.ts'

/** A row as it is read, counted from the header row. `formulas`: columns that are formulas, whose cells are their texts. */
export type FileRow = { row: number; cells: Row; formulas: readonly number[] }

/** Cells to write. `columns`: of the whole table; `area`: of the cells, in the tab. */
export type TablePatch = { columns: number; area: CellArea; rows: AsyncIterable<readonly PatchRow[]> }

/** The table of a target file as the process sees it that parses the file. All methods throw OriginFailure. */
export type WrittenTable = {
  /** Rows with a value or formula in the first columns, from the header row on. */
  rows(columns: number): AsyncIterable<FileRow[]>
  /** See `ReadableTarget.readBeside`. */
  readBeside(columns: number, wanted: RowSet): AsyncIterable<NumberedCells>
  readFormats(columns: number[], rows: number): Promise<Map<number, FormatRuns>>
  /** Writes a copy of the file with the patch to `out`. */
  write(patch: TablePatch, out: string): Promise<void>
}
