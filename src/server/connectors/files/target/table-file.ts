import type { Change, ReadableTarget, TabIdentity } from '../../connector.ts'

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
    /** The rows from the header row on, as the bytes of JSON. `onFormula` is called for each cell that is a formula, in reading order. */
    rows(columns: number, onFormula: (row: number, column: number) => void): AsyncIterable<Uint8Array[]>
    /** Writes a copy of the file with the change to `out`. `rows`: of the table as it was read. */
    write(change: Change, rows: number, out: string, onRows: (rows: number) => Promise<void>): Promise<void>
  }
