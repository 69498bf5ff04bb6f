import type { Row } from '../../../../contract/tables.ts'
import type { Change, ReadableTarget, TabIdentity } from '../../connector.ts'

/** A row as it is read, counted from the header row. `formulas`: columns that are formulas, whose cells are their texts. */
export type FileRow = { row: number; cells: Row; formulas: readonly number[] }

/** The table of a target file, which need not exist. All methods throw OriginFailure. */
export type TableFile = Required<Pick<ReadableTarget, 'readBeside'>> &
  Pick<ReadableTarget, 'title' | 'warnings' | 'provider' | 'cell_characters' | 'readFormats'> & {
    identity(): TabIdentity
    /** Whether the file has it already; set when a change has created it. */
    exists: boolean
    /** What the log says about how a change is written. */
    summary(change: Change): string
    /** Maximum rows, including those above the table, and columns. */
    extent: { rows: number; columns: number }
    /** Rows with a value or formula in the first columns, from the header row on. */
    rows(columns: number): AsyncIterable<FileRow[]>
    /** Writes a copy of the file with the change to `out`. `rows`: of the table as it was read. */
    write(change: Change, rows: number, out: string, onRows: (rows: number) => Promise<void>): Promise<void>
  }
