import type { Row } from '../../contract/tables.ts'
import type { FormatChange, FormatRuns, StoredFormat } from '../snapshots/column-format.ts'
import type { SampleRow } from '../snapshots/spread-sample.ts'
import type { CellChanges } from './cell-changes.ts'

/** Number format of a column. `mixed`: some cells have another one; without runs those are unknown. */
export type ColumnFormat = StoredFormat & { mixed: boolean }

/** A column without a format, or whose format is not needed. */
export const NO_FORMAT: ColumnFormat = { format: null, runs: null, mixed: false }

/** A table whose formats are needed: sampled data rows, and the number of all. */
export type FormatSample = {
  sample: SampleRow[]
  rows: number
  /** Whether a column is skipped. */
  isExcluded?: (column: number) => boolean
}

/** Number formats by column. `sample_rows`: number of sampled rows; null: all were examined. */
export type JudgedFormats = { columns: ColumnFormat[]; sample_rows: number | null }

/**
 * One reading of a table, starting with its header row. Rows are bytes of JSON arrays (see row-json.ts), so that rows
 * that are only compared are never parsed. Blank rows at the end are omitted.
 */
export type Reading = {
  batches: AsyncIterable<Uint8Array[]>
  /** Number of requests so far. A reading of one request is consistent. */
  readonly requests: number
}

/** Where an interrupted reading resumes: after `rows` rows including the header, at `checkpoint`. */
export type Resume = { checkpoint: unknown; header: Row; rows: number }

/** A reading of a source. */
export type SourceReading = Reading & {
  /** JSON with which a new reading resumes after the last batch; null: it starts over. */
  readonly checkpoint: unknown
  /**
   * The current header. It may grow if later rows bring new columns, and never changes otherwise. Null before the
   * first row.
   */
  readonly header: Row | null
  /** Number of data rows according to the source; null: unknown. */
  readonly total: number | null
  /**
   * JSON with which the source can tell next time that nothing has changed, such as an ETag; null: none. Final at the
   * end.
   */
  readonly validator: unknown
  /** Nothing has changed since `validator`; there are no batches. */
  readonly unchanged: boolean
  /** Why the rows may be incomplete, so that an editor has to accept them. Final at the end. */
  readonly doubts?: readonly string[]
  /** What changed in the source during the reading, which makes another reading worthwhile; null: nothing known. */
  readonly changed?: { message: string; isCertain: boolean } | null
  /** Warnings about the rows, such as converted values. Final at the end. */
  readonly warnings: readonly string[]
  /** Log lines about the reading. Final at the end. */
  readonly remarks?: readonly string[]
}

/** An opened source. */
export type Source = {
  /** For people, such as ‘Products’ in ‘Catalogue master’. */
  title: string
  /** Warnings about how it was found, such as that the tab was renamed. */
  warnings: string[]
  /** Maximum rows (including the header) and columns, unless another editor adds some now; undefined: unknown. */
  readonly extent?: TableSize
  /**
   * Reads it from the header on or, with `resume`, the following rows without the header. `validator`: of an earlier
   * reading.
   */
  read(options?: { resume?: Resume; validator?: unknown }): SourceReading
  /** Address of a cell for people, such as B7; rows count from the header row. Undefined if there are none. */
  address?(row: number, column: number): string
  /** Number formats of the columns, from cells that hold a value. */
  formats(table: FormatSample): Promise<JudgedFormats>
}

export type TableSize = { rows: number; columns: number }

/** A cell, in rows counted from the header row and columns counted from 0. */
export type CellPlace = { row: number; column: number }

/** Called for each changed cell; returns the used share of what one commit can carry. Above 1 there are too many. */
export type CellCounter = (row: number, column: number, bytes: number) => number

/** A row of a table as the bytes of a JSON array. */
export type NumberedRow = { row: number; json: Uint8Array }

/** Rows that differ, in pages. Unchanged cells are null, or omitted at the end of a row. `bytes`: estimated total. */
export type Patches = { bytes: number; rows(): AsyncIterable<NumberedRow[]> }

/** Rows from `from` up to, not including, `to`. */
export type RowRange = { from: number; to: number }

/** The change that makes a target equal to the table. Rows count from the header row, which is row 0. */
export type Change = {
  rows: number
  columns: number
  /** Columns that this task owns, at least `columns`. Their cells beyond the table are cleared. */
  owned_columns: number
  /** Cells to clear above the table: rows right above its header row, and columns. */
  former: { rows: number; columns: number }[]
  /** Formats to set for data rows of a column; null: automatic. */
  formats: ({ column: number } & FormatChange)[]
  /** Cells that differ, in row order and then column order; null: too many according to `countCells`. */
  cells: CellChanges | null
  /** The table from row `from` on, in pages. */
  table(from: number): AsyncIterable<NumberedRow[]>
  /** Patches to the target's current rows; null if those are uncertain. */
  patches: Patches | null
  /** Bytes of the whole table. */
  bytes: number
  /** Rows of the table that differ from the target's, in order. */
  differing: { ranges(): Iterable<RowRange>; read(): AsyncIterable<NumberedRow[]> }
}

/**
 * Rows of a table that is still being read. `cells`: number of cells with a value; `columns`: of the widest row so
 * far.
 */
export type GrowingPage = { rows: NumberedRow[]; cells: number; columns: number }

/** A table that is still being read. */
export type GrowingTable = {
  /** Expected size. */
  extent: TableSize
  /** Its rows as they arrive. Called once. */
  pages(): AsyncIterable<GrowingPage>
  /** Whether all rows have been passed on. */
  readonly isWhole: boolean
  /** Ends the pages. */
  close(): void
}

/** How a target is changed: by the cells that differ, or by rows that are staged beside it. Either way in one commit. */
export type ChangeMode = 'small' | 'staged'

/** How a change is about to be made, and what the log says about it. */
export type Way = { mode: ChangeMode; sentence: string }

/** What a task stores about a table: names, and `place`, the provider's id of it. */
export type Bound = { spreadsheet_name: string; sheet_name: string; place: string }

/** The target of a copy. All methods throw OriginFailure. */
export type Target = {
  /** For people, such as ‘Shop’ in ‘Web shop’. */
  title: string
  warnings: string[]
  /** Name of the provider for people. */
  provider: string
  /** Maximum UTF-16 units of text in a cell. */
  cell_characters: number
  /** The table as it is or, if a change has yet to create it, will be. */
  bound(): Bound
  /**
   * Ensures that no request of ended runs or earlier attempts of this run can be applied any more. Called once,
   * before its rows are trusted.
   */
  recover(): Promise<void>
  /** Reads the first `columns` columns as they are now. Formulas read as text that begins with "=". */
  read(columns: number): Reading
  /** Its rows were read with its opening, so the first reading sends no request. */
  readonly isRead: boolean
  /** Which of these cells, all of which read as such text, are formulas. */
  formulas(cells: CellPlace[]): Promise<CellPlace[]>
  /** Address of a cell for people, such as B7. */
  address(row: number, column: number): string
  /** Name of a column for people, such as B. */
  columnName(column: number): string
  /**
   * Returns a counter for changed cells and the bytes of their values. When it exceeds 1, the target needs the whole
   * table, whose size is given.
   */
  countCells(table: { rows: number; columns: number; bytes: number }): CellCounter
  /**
   * Starts to prepare a change of the whole table while that is still being read, if the target is known to be empty.
   * The preparation is invisible until `apply`, which completes it. Returns a function that ends it; then none of its
   * requests is in flight.
   */
  prepare?(table: GrowingTable): () => Promise<void>
  /** Discards what this or an earlier worker has prepared from another reading of the source. */
  discard(): Promise<void>
  /**
   * Applies a change in one atomic commit. Calls `begin` with the way before anything is written, and again when another way has to be
   * taken. Throws OriginFailure without having changed anything: `too_large` where the change does not fit, `tab_gone` where rows or
   * columns were inserted or deleted since the target was read. The warning is about edits that were detected only after the commit.
   * The caller verifies the target by reading it.
   */
  apply(change: Change, begin: (way: Way) => Promise<void>): Promise<{ warning: string | null }>
  /**
   * Reads the number formats of some columns, including all cells of the first `rows` data rows. Undefined for
   * providers with one format per column.
   */
  readFormats?(columns: number[], rows: number): Promise<Map<number, FormatRuns>>
  /** Removes what the run has created beside the target. */
  cleanUp(): Promise<void>
}

/** Why a source or target could not be used. */
export type FailureKind =
  /** No account has permission. */
  | 'forbidden'
  | 'not_found'
  /** The account's grant is revoked or lacks a scope; its owner has to reconnect. */
  | 'reconnect'
  /** The tab no longer exists under this name. */
  | 'tab_gone'
  /** It exceeds what can be stored. */
  | 'too_large'
  /** The request body is too large. */
  | 'request_too_large'
  | 'invalid'
  /** Busy, failing or unreachable; a retry may succeed. */
  | 'unavailable'

/**
 * A source or target that could not be used; the message is for people. Only `unavailable` is worth another attempt.
 */
export class OriginFailure extends Error {
  override name = 'OriginFailure'
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
