import type { Row } from '../../contract/tables.ts'
import type { FormatChange, FormatRuns, StoredFormat } from '../snapshots/column-format.ts'
import type { SampleRow } from '../snapshots/spread-sample.ts'
import type { CellChanges } from './cell-changes.ts'

/** How a column shows its numbers, and whether not all of its cells have its format: without runs those are not known. */
export type ColumnFormat = StoredFormat & { mixed: boolean }

/** A column of which no format is wanted, or that has none. */
export const NO_FORMAT: ColumnFormat = { format: null, runs: null, mixed: false }

/** A table that has been read, of which the number formats are wanted: data rows from all of its length, and how many there are. */
export type FormatSample = {
  sample: SampleRow[]
  rows: number
  /** Whether a column is left out, so that nothing is to be read of it. */
  isExcluded?: (column: number) => boolean
}

/** Number formats, column by column; `sample_rows`: of how many rows they were judged, null: of all. */
export type JudgedFormats = { columns: ColumnFormat[]; sample_rows: number | null }

/**
 * One reading of a table from its header row down. Rows come as the bytes of JSON arrays (row-json.ts reads them), so
 * that rows which are only compared are never taken apart. Blank rows at the end are left out.
 */
export type Reading = {
  batches: AsyncIterable<Uint8Array[]>
  /** Requests made so far. A reading of one request is consistent in itself. */
  readonly requests: number
}

/** Where a reading goes on that another began: after `rows` rows, the header among them, that came up to `checkpoint`. */
export type Resume = { checkpoint: unknown; header: Row; rows: number }

/** A reading of a source, which says more of itself than one of a target does. */
export type SourceReading = Reading & {
  /** JSON by which a new reading goes on after the batch that was taken last; null: it has to begin anew. */
  readonly checkpoint: unknown
  /**
   * The header as it stands now: where columns come to light with later rows, it has grown since the first row was passed on, and
   * never changed otherwise. Null before the first row.
   */
  readonly header: Row | null
  /** Rows below the header that the origin itself says there are; null: it does not say. */
  readonly total: number | null
  /** JSON by which the origin can tell next time that nothing is new, such as an ETag; null: it cannot. Stands at the end. */
  readonly validator: unknown
  /** The origin said that nothing has changed since `validator`: there are no batches. */
  readonly unchanged: boolean
  /** Why what was read may not be all there is, so that a person has to accept it; none by default. Stands at the end. */
  readonly doubts?: readonly string[]
  /** What changed at the origin while it was read, so that it is worth another reading; null: nothing is known to have. */
  readonly changed?: { message: string; isCertain: boolean } | null
  /** What a person should hear about what was read, such as values that had to be written otherwise. Stands at the end. */
  readonly warnings: readonly string[]
  /** What the log says of how it was read. Stands at the end. */
  readonly remarks?: readonly string[]
}

/** Where rows come from, opened: found, and readable with what it was opened with. */
export type Source = {
  /** For people, such as ‘Products’ in ‘Catalogue master’. */
  title: string
  /** What a person should hear about how it was found, such as that the tab was renamed. */
  warnings: string[]
  /** Rows from the header on, and columns, that it cannot have more of unless somebody adds them now; none: that is not known. */
  readonly extent?: TableSize
  /**
   * Reads it from the header on, or, with `resume`, the rows that follow, without the header. `validator`: what an earlier reading
   * left, for a source that can say that it is unchanged since.
   */
  read(options?: { resume?: Resume; validator?: unknown }): SourceReading
  /** Address of a cell as people read it, in rows counted from the header row; none: it has rows and columns alone. */
  address?(row: number, column: number): string
  /** How each column shows its numbers, by its cells that hold a value. */
  formats(table: FormatSample): Promise<JudgedFormats>
}

export type TableSize = { rows: number; columns: number }

/** A cell, in rows counted from the header row and columns counted from 0. */
export type CellPlace = { row: number; column: number }

/** Called with one cell after the other; answers how much of what one commit carries they fill: above 1, they are too many. */
export type CellCounter = (row: number, column: number, bytes: number) => number

/** A row of a table as the bytes of a JSON array. */
export type NumberedRow = { row: number; json: Uint8Array }

/**
 * The rows that differ, some at a time, without what is right at their end, and null for cells before that are right. `bytes`: of them
 * all, as far as is known beforehand.
 */
export type Patches = { bytes: number; rows(): AsyncIterable<NumberedRow[]> }

/** Rows from `from` up to, not including, `to`. */
export type RowRange = { from: number; to: number }

/** What a target is turned into. Rows count from the header row, which is row 0. */
export type Change = {
  rows: number
  columns: number
  /** Columns this task owns, so that their cells beyond the new table are cleared; never less than `columns`. */
  owned_columns: number
  /** Cells to clear above the table: so many rows right above its header row, so many columns wide. */
  former: { rows: number; columns: number }[]
  /** Formats to set for data rows of a column; null makes them automatic. */
  formats: ({ column: number } & FormatChange)[]
  /** The cells that differ, row by row and from left to right; null: more than the target said it takes so. */
  cells: CellChanges | null
  /** The whole table from row `from` on, some rows at a time. */
  table(from: number): AsyncIterable<NumberedRow[]>
  /** The same for whoever has the rows of the target already; null: it is in doubt what those are. */
  patches: Patches | null
  /** Bytes of the whole table. */
  bytes: number
  /** Rows of the table that differ from the target's, in order. */
  differing: { ranges(): Iterable<RowRange>; read(): AsyncIterable<NumberedRow[]> }
}

/** Rows of a table that is still being read, from its header row on; `cells`: how many of theirs hold a value, `columns`: of the widest so far. */
export type GrowingPage = { rows: NumberedRow[]; cells: number; columns: number }

/** A table that is still being read. */
export type GrowingTable = {
  /** It is not known to become larger than this. */
  extent: TableSize
  /** Its rows, each page as soon as it is there. Called once. */
  pages(): AsyncIterable<GrowingPage>
  /** Whether the pages that were given are all of the table. */
  readonly isWhole: boolean
  /** Ends the pages. */
  close(): void
}

/** How a target is changed: by the cells that differ, or by rows that are staged beside it. Either way in one commit. */
export type ChangeMode = 'small' | 'staged'

/** How a change is about to be made, and what the log says about it. */
export type Way = { mode: ChangeMode; sentence: string }

/** What a task keeps of a table that it has seen: how it and what it is part of are called, and by what its provider finds it whatever its name. */
export type Bound = { spreadsheet_name: string; sheet_name: string; place: string }

/** Where a copy goes. Every method makes its own outside calls and throws OriginFailure when it cannot. */
export type Target = {
  /** For people, such as ‘Shop’ in ‘Web shop’. */
  title: string
  warnings: string[]
  /** Who keeps it, as people say. */
  provider: string
  /** UTF-16 units of text that a cell has room for. */
  cell_characters: number
  /** What it is now; for a table that a change has yet to create, what it will be. */
  bound(): Bound
  /**
   * Makes sure that nothing can change it any more that runs which are over, or earlier attempts of this run, have sent or left
   * behind. Called once, before its rows are believed.
   */
  recover(): Promise<void>
  /** Reads the first `columns` columns, as the target holds them now. A formula reads as a text that begins with "=". */
  read(columns: number): Reading
  /** Its rows came with its opening: a first reading asks for nothing. */
  readonly isRead: boolean
  /** Which of these cells, all of which read as such a text, are formulas. */
  formulas(cells: CellPlace[]): Promise<CellPlace[]>
  /** Address of a cell as people read it, such as B7. */
  address(row: number, column: number): string
  /** Name of a column as people read it, such as B. */
  columnName(column: number): string
  /**
   * Counts the cells that differ, called with one after the other, row by row, and the bytes that its value has as JSON. Once they are
   * too many, beside a table of this size, the target wants the whole table. `bytes`: of its rows as JSON.
   */
  countCells(table: { rows: number; columns: number; bytes: number }): CellCounter
  /**
   * Prepares a change that will write all of a table, while that is still being read, where the target is known to hold nothing. What is
   * prepared shows nowhere before `apply`, which goes on from there; what cannot be prepared is left to it. Returns what ends it: then
   * no request of it is on its way any more.
   */
  prepare?(table: GrowingTable): () => Promise<void>
  /** Forgets what has been prepared, by an earlier worker or just now, of another reading of the source, so that it cannot come any more. */
  discard(): Promise<void>
  /**
   * Applies a change in one atomic commit. Calls `begin` with the way before anything is written, and again when another way has to be
   * taken. Throws OriginFailure without having changed anything: `too_large` where the change does not fit, `tab_gone` where rows or
   * columns were inserted or deleted since the target was read. The warning is about edits that were detected only after the commit.
   * The caller verifies the target by reading it.
   */
  apply(change: Change, begin: (way: Way) => Promise<void>): Promise<{ warning: string | null }>
  /**
   * Reads the number formats of some columns, of all their cells in the first `rows` data rows, by column. A provider that keeps one
   * format for a column has none.
   */
  readFormats?(columns: number[], rows: number): Promise<Map<number, FormatRuns>>
  /** Removes what the run has made beside the target and has no use for at its end. */
  cleanUp(): Promise<void>
}

/** Why an origin or a target could not be used. */
export type FailureKind =
  /** No account may do this. */
  | 'forbidden'
  | 'not_found'
  /** The account's grant is revoked or lacks a scope: its owner has to connect again. */
  | 'reconnect'
  /** The tab is not there any more under this name. */
  | 'tab_gone'
  /** It would grow past what can be stored. */
  | 'too_large'
  /** The request itself has more bytes than are taken. */
  | 'request_too_large'
  | 'invalid'
  /** Busy, out of order or unreachable: later it may work. */
  | 'unavailable'

/** An origin or target that could not be used; the message is for a person. Only `unavailable` is worth another attempt. */
export class OriginFailure extends Error {
  override name = 'OriginFailure'
  readonly kind: FailureKind
  constructor(kind: FailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
