import type { Row } from '../../contract/tables.ts'
import type { FormatChange, FormatRuns, StoredFormat } from '../snapshots/column-format.ts'
import type { RowSet } from '../snapshots/row-set.ts'
import type { SampleRow } from '../snapshots/spread-sample.ts'
import type { CellChanges } from './cell-changes.ts'

/** Number format of a column. `mixed`: some cells have another one; `runs` lists them, and null means that they are unknown. */
export type ColumnFormat = StoredFormat & { mixed: boolean }

/** A column without a format, or whose format is not needed. */
export const NO_FORMAT: ColumnFormat = { format: null, runs: null, mixed: false }

/** A table whose formats are needed: sampled data rows, and the number of all. */
export type FormatSample = {
  sample: SampleRow[]
  rows: number
  /** Whether a column is skipped. */
  isExcluded?: (column: number) => boolean
  /** Parts of the reading that the sample is from, if it had several. */
  parts?: readonly ReadPart[] | undefined
}

/** Number formats by column. `sample_rows`: number of sampled rows; null: all were examined. */
export type JudgedFormats = { columns: ColumnFormat[]; sample_rows: number | null }

/**
 * One read of a table, starting with its header row. Rows are bytes of JSON arrays (see row-json.ts), so that rows
 * that are only compared are never parsed. Blank rows at the end are omitted.
 */
export type TableRead = {
  batches: AsyncIterable<Uint8Array[]>
  /** Number of requests so far. A read of one request is consistent. */
  readonly requests: number
}

/** The rows of one of several sources in a reading of all of them. */
export type ReadPart = {
  /** Place of the source, counted from 0. */
  source: number
  title: string
  /** Its first data row among those of all, counted from 1. */
  first_row: number
  rows: number
  /** Column of the source by column of the table; null: it has none. */
  columns: (number | null)[]
  /** Its stored version that was read; null: the source is outside. */
  snapshot_id: number | null
  /** Data rows sampled over the part, in the rows and columns of the source. */
  sample: SampleRow[]
}

/** Where an interrupted read resumes: after `rows` rows including the header, at `checkpoint`. */
export type Resume = { checkpoint: unknown; header: Row; rows: number }

/** A read of a source. */
export type SourceRead = TableRead & {
  /** JSON with which a new read resumes after the last batch; null: it starts over. */
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
  /** Why the rows may be incomplete. If not empty, a user must approve the rows. Final at the end. */
  readonly incompleteReasons?: readonly string[]
  /** A change of the source during the read. If set, the caller reads again; null: no known change. */
  readonly changed?: { message: string; isCertain: boolean } | null
  /** Warnings about the rows, such as converted values. Final at the end. */
  readonly warnings: readonly string[]
  /** Log lines about the read. Final at the end. */
  readonly remarks?: readonly string[]
  /** The stored version that is read; undefined if the source is outside. Final at the end. */
  readonly snapshot_id?: number
  /** The rows of each source, if there are several. Those up to the last batch are known. */
  readonly parts?: readonly ReadPart[]
  /** Whether the rows of each source are those of one moment, if there are several; undefined: if it took one request. */
  readonly isConsistent?: boolean
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
   * read.
   */
  read(options?: { resume?: Resume; validator?: unknown }): SourceRead
  /** Address of a cell for people, such as B7; rows count from the header row. Undefined if there are none. */
  address?(row: number, column: number): string
  /** Number formats of the columns, from cells that hold a value. */
  formats(table: FormatSample): Promise<JudgedFormats>
}

export type TableSize = { rows: number; columns: number }

/** A cell, in rows counted from the header row and columns counted from 0. */
export type CellPlace = { row: number; column: number }

/** Called for each changed cell; returns the used fraction of one commit's capacity. Above 1 the cells do not fit. */
export type CellCounter = (row: number, column: number, bytes: number) => number

/** A row of a table as the bytes of a JSON array. */
export type NumberedRow = { row: number; json: Uint8Array }

/** Rows that differ, in pages. Unchanged cells are null, or omitted at the end of a row. `bytes`: estimated total. */
export type Patches = { bytes: number; rows(): AsyncIterable<NumberedRow[]> }

/** Rows from `from` up to, not including, `to`. */
/** Cells of a row, from some column on. */
export type NumberedCells = { row: number; cells: Row }

export type RowRange = { from: number; to: number }

/** A cell of a table that is a formula, such as =A2*2. */
export type FormulaText = CellPlace & { text: string }

/** What a change may write in a table of which other cells are those of other editors. Rows count from the header row. */
export type WrittenCells = {
  /** Columns in ascending order. */
  columns: readonly number[]
  /** Those of them that are written only in whole rows: a key tells which row stands in a place after the commit. */
  keys: readonly number[]
  isWhole: (row: number) => boolean
  /** Rows of the target, including the header row. Those behind the table are cleared. */
  target_rows: number
  /**
   * The first new row. It and all rows behind it are inserted into the tab, so that what another editor types there right before the
   * commit moves down instead of being overwritten. Null: new rows are written into rows of the tab.
   */
  inserted_from: number | null
}

/** The change that makes a target equal to the table. Rows count from the header row, which is row 0. */
export type Change = {
  rows: number
  columns: number
  /** Columns that this task owns, at least `columns`. Their cells beyond the table are cleared. */
  owned_columns: number
  /** The cells that may be written; null: all of the table, and those that the task owns around it. */
  within: WrittenCells | null
  /** Cells to clear above the table: rows right above its header row, and columns. */
  rowsAbove: { rows: number; columns: number }[]
  /** Formats to set for data rows of a column; null: automatic. */
  formats: ({ column: number } & FormatChange)[]
  /** Cells that differ, in row order and then column order; null: too many according to `countCells`. */
  cells: CellChanges | null
  /** Cells of the table that are formulas, in row order. Only those that `ReadableTarget.formulas` has found there before. */
  formulas: readonly FormulaText[]
  /** The table from row `from` on, in pages. */
  table(from: number): AsyncIterable<NumberedRow[]>
  /** Patches to the target's current rows; null if those are uncertain. */
  patches: Patches | null
  /** Bytes of the whole table. */
  bytes: number
  /** Rows of the table that differ from the target's, in order. */
  differing: {
    ranges(): Iterable<RowRange>
    /** The rows of some ranges of the table. */
    read(ranges: readonly RowRange[]): AsyncIterable<NumberedRow[]>
  }
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

/** How a target is changed: by the cells that differ, or by rows that are staged in another tab. Either way in one commit. */
export type ChangeMode = 'small' | 'staged'

/** How a change is about to be made, and what the log says about it. */
export type WritePlan = { mode: ChangeMode; summary: string }

/** What a task stores about a tab. `tab_id`: the provider's id of it, which does not change when the tab is renamed. */
export type TabIdentity = { spreadsheet_name: string; sheet_name: string; tab_id: string }

/** The part of a target that only reads: no method sends a request that changes anything. All methods throw OriginFailure. */
export type ReadableTarget = {
  /** For people, such as ‘Shop’ in ‘Web shop’. */
  title: string
  warnings: string[]
  /** Name of the provider for people. */
  provider: string
  /** Maximum UTF-16 units of text in a cell. */
  cell_characters: number
  /** Identity of the tab, or of the tab that the first change creates. */
  identity(): TabIdentity
  /** Reads the first `columns` columns as they are now. Formulas read as text that begins with "=". */
  read(columns: number): TableRead
  /**
   * Reads the constants right of the first `columns` columns, at least those in `rows` and, if wanted, in the header row, row 0; null if
   * there are none in `rows`. Formulas and what they fill are none. Undefined for providers whose tables have no other columns than the
   * task's.
   */
  readBeside?(columns: number, rows: RowSet, wants: { header: boolean }): AsyncIterable<NumberedCells> | null
  /** The rows were read when it was opened, so the first read sends no request. */
  readonly isRead: boolean
  /** Returns the cells that are formulas. All given cells read as text that begins with "=". */
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
   * Reads the number formats of some columns, including all cells of the first `rows` data rows. Undefined for
   * providers with one format per column.
   */
  readFormats?(columns: number[], rows: number): Promise<Map<number, FormatRuns>>
  /** Whether a change of an interrupted run may still be applied, because the target has not been made writable since. */
  isWritePending(): Promise<boolean>
}

/**
 * An opened target. Before it can be written, ended runs and earlier attempts of this run must be fenced: none of their requests can
 * still be applied. `begin` and `resume` ensure that, and only they return an object that can write. Rows read before that call may be
 * stale.
 */
export type Target = ReadableTarget & {
  /** For a run that reads its source anew. Discards rows that an earlier attempt staged. */
  begin(): Promise<FreshTarget>
  /** For a run whose source rows are stored already. Keeps those of them that an earlier worker staged. */
  resume(): Promise<WritableTarget>
}

/** A target that a run may write. */
export type WritableTarget = ReadableTarget & {
  /**
   * Applies a change in one atomic commit. Calls `onPlan` with the plan before anything is written, and again when the plan has to be
   * changed. Throws OriginFailure without having changed anything: `too_large` where the change does not fit, `tab_gone` where rows or
   * columns were inserted or deleted since the target was read. The warning is about edits that were detected only after the commit.
   * The caller verifies the target by reading it.
   */
  apply(change: Change, onPlan: (plan: WritePlan) => Promise<void>): Promise<{ warning: string | null }>
  /**
   * The change as a part of a commit with those of other targets of the same place; null if it does not fit one request. Undefined for
   * providers that commit one table at a time.
   */
  asPart?(change: Change): CommitPart | null
  /** Removes the staging data of the run. */
  cleanUp(): Promise<void>
}

/** A change that can be committed together with others. */
export type CommitPart = {
  plan: WritePlan
  /** Used fraction of one commit's capacity. */
  fraction: number
  /**
   * Commits this part and others in one atomic request. Returns the warnings of all, in order, or null, with nothing changed, if the
   * provider refuses them together. Throws as `WritableTarget.apply`.
   */
  commitWith(others: readonly CommitPart[]): Promise<(string | null)[] | null>
}

/** A writable target without staged rows. */
export type FreshTarget = WritableTarget & {
  /**
   * Starts to stage a table while its source is still being read. Staged rows are invisible until `apply`, which stages the rest. Null
   * unless the target is known to be empty.
   */
  prestage(table: GrowingTable): Prestage | null
}

/** Staging of a table that is still being read. After either call none of its requests is in flight. */
export type Prestage = {
  end(): Promise<void>
  /** Ends it and discards the staged rows, because the source is read again. */
  discard(): Promise<void>
}

/** Why a source or target could not be used. */
export type FailureKind =
  /** The account has no permission; thrown by a session when no account of the task has it. */
  | 'forbidden'
  | 'not_found'
  /** The account's grant is revoked or lacks a scope; its owner has to reconnect. */
  | 'reconnect'
  /** The tab was renamed, deleted or restructured while in use: rows or columns were inserted, moved or deleted, or headers edited. */
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
