import type { CellValue, NumberFormat, Row } from '../../contract/tables.ts'
import type { SampleRow } from '../snapshots/spread-sample.ts'

/** The format most cells of a column have in a sample of its rows (null: automatic), and whether not all of them have it. */
export type ColumnFormat = { format: NumberFormat | null; mixed: boolean }

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
  /** What a person should hear about what was read, such as values that had to be written otherwise. Stands at the end. */
  readonly warnings: readonly string[]
}

/** Where rows come from, opened: found, and readable with what it was opened with. */
export type Source = {
  /** For people, such as ‘Products’ in ‘Catalogue master’. */
  title: string
  /** What a person should hear about how it was found, such as that the tab was renamed. */
  warnings: string[]
  /**
   * Reads it from the header on, or, with `resume`, the rows that follow, without the header. `validator`: what an earlier reading
   * left, for a source that can say that it is unchanged since.
   */
  read(options?: { resume?: Resume; validator?: unknown }): SourceReading
  /** Number format of each column, judged by the cells of `sample`, data rows from all of its length, that hold a value. */
  formats(sample: SampleRow[]): Promise<ColumnFormat[]>
}

/** A cell, in rows counted from the header row and columns counted from 0. */
export type CellPlace = { row: number; column: number }

/** One cell to write, in rows counted from the header row and columns counted from 0; null clears it. */
export type CellChange = { row: number; column: number; value: CellValue }

/** What a commit turns the target into. Rows count from the header row, which is row 0. */
export type Change = {
  rows: number
  columns: number
  /** Columns this task owns, so that their cells beyond the new table are cleared; never less than `columns`. */
  owned_columns: number
  /** Cells to clear above the table: so many rows right above its header row, so many columns wide. */
  former: { rows: number; columns: number }[]
  /** `cells`: these cells, and nothing else. `staged`: the whole table as it stands in the fence. `placed`: already written, but for its end. */
  content: { kind: 'cells'; cells: CellChange[] } | { kind: 'staged' } | { kind: 'placed' }
  /** Formats to set for the data rows of a column; null makes it automatic. */
  formats: { column: number; format: NumberFormat | null }[]
}

/** A piece of the table as JSON texts of rows, the first one being row `row`. */
export type RowTexts = { row: number; texts: string[] }

/** Where a copy goes. Every method makes its own outside calls and throws OriginFailure when it cannot. */
export type Target = {
  title: string
  warnings: string[]
  /** Reads the first `columns` columns, as the target holds them now. A formula reads as a text that begins with "=". */
  read(columns: number): Reading
  /** Which of these cells, all of which read as such a text, are formulas. */
  formulas(cells: CellPlace[]): Promise<CellPlace[]>
  /** Whether a filter stands on it, which a change of cells leaves as it is, and another one takes away and sets again. */
  readonly isFiltered: boolean
  /** Address of a cell as people read it, such as B7. */
  address(row: number, column: number): string
  /** Name of a column as people read it, such as B. */
  columnName(column: number): string
  /**
   * Whether a table of this size fits beside a fence of so many cells, which may be there already. Throws when the target
   * could never hold the table.
   */
  hasRoom(rows: number, columns: number, fence: { id: number | null; cells: number }): boolean
  /**
   * Creates a hidden area that the commits of one attempt are fenced by, and answers its id once it is there for certain.
   * `nextId` records an id and is called for each try: none is sent twice.
   */
  createFence(nextId: () => Promise<number>, size: { rows: number; columns: number }): Promise<number>
  /** Makes a fence large enough for so many rows. Safe to repeat. */
  growFence(id: number, size: { rows: number; columns: number }): Promise<void>
  /** Takes note of what others have changed since it was opened: sizes, titles, filters. */
  refresh(): Promise<void>
  /** Whether the fence was there when the target was last seen. */
  hasFence(id: number): boolean
  /** Writes rows of up to `columns` cells into the fence. Safe to repeat. */
  stage(id: number, pieces: RowTexts[], columns: number): Promise<void>
  /** Writes rows of exactly `columns` cells into the target itself; '' clears a cell. Safe to repeat. */
  place(pieces: RowTexts[], columns: number): Promise<void>
  /** Makes room for the table before it is written in place. */
  prepare(rows: number, columns: number): Promise<void>
  /**
   * Applies `change` whole and removes the fence with it, or does nothing when the fence is gone: read the target to know. Throws
   * OriginFailure `tab_gone`, nothing being changed, when rows or columns were inserted or deleted since the target was read; `resized`:
   * that came to light only afterwards.
   */
  commit(change: Change, fenceId: number): Promise<{ resized: boolean }>
  /** Applies `change` without a fence: it may happen once more, at any later time. */
  commitUnfenced(change: Change): Promise<void>
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
