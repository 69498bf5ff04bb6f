import type { CellValue, Row } from '../../../../contract/tables.ts'
import { OriginFailure, type TableRead } from '../../connector.ts'
import { parseRow } from '../../row-json.ts'
import { cellAddress } from '../a1.ts'
import type { BatchRequest } from '../client/api.ts'
import type { Spreadsheet } from '../client/replies.ts'
import type { GoogleSession } from '../client/session.ts'
import type { TabState } from './commit-requests.ts'
import {
  batchUpdateAndReadHeader,
  type CommittedHeader,
  type HeaderRow,
  readHeader,
  type SeenHeader,
} from './header-row.ts'

/** Evidence that columns may have been moved during a commit: this cell, or null for the header row's texts. */
export type Shifted = { cell: string | null }

/**
 * Detects columns that are moved into or out of a table while it is copied, which does not change the grid's size:
 * the header row's texts have moved, and another cell is right of them.
 */
export class HeaderWatch {
  readonly #session: GoogleSession
  readonly #position: { spreadsheet_id: string; start_row: number; titled: string }
  /** As of the last read of the rows. */
  #header: Row = []
  /** The cell right of the table; undefined: unknown. */
  #beside: { column: number; cell: CellValue } | undefined

  /** `start_row` counts from 0; `titled` is the tab's title for messages. */
  constructor(
    session: GoogleSession,
    position: { spreadsheet_id: string; start_row: number; titled: string },
  ) {
    this.#session = session
    this.#position = position
  }

  /** Sets the header of prefetched rows. `known`: number of their columns. */
  setHeader(header: Row, { columns, known }: { columns: number; known: number }): void {
    this.#header = header
    this.#beside = known > columns ? { column: columns, cell: header[columns] ?? null } : undefined
  }

  /** Passes on the rows that are read and records their header row. */
  recordHeader(read: TableRead): TableRead {
    this.setHeader([], { columns: 0, known: 0 })
    const note = (first: Uint8Array) => {
      this.#header = parseRow(Buffer.from(first).toString())
    }
    return {
      batches: noted(),
      get requests() {
        return read.requests
      },
    }

    async function* noted(): AsyncGenerator<Uint8Array[]> {
      let isFirst = true
      for await (const batch of read.batches) {
        const [first] = batch
        if (isFirst && first) note(first)
        isFirst = false
        yield batch
      }
    }
  }

  /** Position of the header row. */
  row({ sheet_id, title }: TabState, columns: number): HeaderRow {
    return { sheet_id, title, start_row: this.#position.start_row, columns }
  }

  /**
   * Reads the header row again. Returns the spreadsheet with its tab and the staging tab; null if one of them was
   * renamed or the tab does not exist yet. Throws as `compare` does.
   */
  async refetch(tab: TabState, columns: number, staging_tab: string): Promise<Spreadsheet | null> {
    const seen = tab.exists ? await this.#read(this.row(tab, columns), staging_tab) : null
    if (!seen) return null
    this.compare(seen.header, columns)
    return seen.spreadsheet
  }

  /** Compares the header row with the one that was read last. Throws OriginFailure `tab_gone` if columns were moved. */
  compare(header: Row, columns: number): void {
    if (isMoved(this.#header, header, columns)) throw moved(this.#position.titled)
    this.#beside = { column: columns, cell: header[columns] ?? null }
  }

  /** Checks one commit against the state right before it. */
  proof(tab: TabState, columns: number, signal: AbortSignal) {
    const { spreadsheet_id, start_row } = this.#position
    const beside = isAlone(tab, columns) || this.#beside?.column !== columns ? null : this.#beside
    const row = this.row(tab, columns)
    const header_texts = this.#header.slice(0, columns).map(textOf)
    let after: Row | null = null
    let duplicates: number | null = null
    return {
      /** Texts of the header row, null for other cells; the commit proves their positions. */
      header_texts,
      /** Whether only the cell right of the table can show moved columns, so that the response should contain it. */
      needsHeader: beside !== null && header_texts.every((text) => text === null),
      /** Sends the commit and reads the header row in its response, which lacks the other rows. */
      commitAndReadHeader: (requests: BatchRequest[]) =>
        batchUpdateAndReadHeader(this.#session, spreadsheet_id, requests, { row, signal }),
      /** Records a response and returns its spreadsheet. */
      recordResponse(seen: CommittedHeader): Spreadsheet {
        after = seen.header
        duplicates = seen.duplicates
        return seen.spreadsheet
      },
      /** Evidence of moved columns; null: none. */
      shifted: async (): Promise<Shifted | null> => {
        if (duplicates === 1) return null
        const otherTexts = duplicates === null ? null : { cell: null }
        if (!beside) return otherTexts
        // The response was lost or did not contain it.
        after ??= (await this.#read(row, null))?.header ?? null
        const { column, cell } = beside
        return after && (after[column] ?? null) === cell
          ? otherTexts
          : { cell: cellAddress(start_row, column) }
      },
    }
  }

  #read(row: HeaderRow, staging_tab: string | null): Promise<SeenHeader | null> {
    return readHeader(this.#session, this.#position.spreadsheet_id, row, staging_tab)
  }
}

/** A table that fills the grid has no columns beside it. */
const isAlone = ({ exists, grid }: TabState, columns: number) => !exists || grid.columns <= columns

/** Whether texts have moved. Other values are ignored, because their form depends on the kind of response. */
function isMoved(before: Row, now: Row, columns: number): boolean {
  for (let column = 0; column < columns; column += 1) {
    const [was, is] = [before[column] ?? null, now[column] ?? null]
    if (was !== is && (isText(was) || isText(is))) return true
  }
  return false
}

const isText = (cell: CellValue) => textOf(cell) !== null

const textOf = (cell: CellValue) =>
  typeof cell === 'string' && cell !== '' && !cell.startsWith('=') ? cell : null

const moved = (title: string) =>
  new OriginFailure('tab_gone', `Columns of ${title} were moved, or headers edited, while it was copied.`)
