import type { CellValue, Row } from '../../../../contract/tables.ts'
import { OriginFailure, type Reading } from '../../connector.ts'
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

/** What shows that columns may have been moved at the moment of a commit: this cell, or, null, the words of the header row. */
export type Shifted = { cell: string | null }

/**
 * Sees whether columns are moved into a table or out of it while it is copied, which leaves the size of the grid as it is: the words of
 * its header row stand elsewhere then, and right of them stands another cell.
 */
export class HeaderWatch {
  readonly #session: GoogleSession
  readonly #place: { spreadsheet_id: string; start_row: number; titled: string }
  /** When the rows were last read. */
  #header: Row = []
  /** The cell right of so many columns of it; undefined: that is not known. */
  #beside: { column: number; cell: CellValue } | undefined

  /** `start_row` counts from 0; `titled` is for people. */
  constructor(session: GoogleSession, place: { spreadsheet_id: string; start_row: number; titled: string }) {
    this.#session = session
    this.#place = place
  }

  /** The rows of a reading have come already; `known`: that many of its columns, of which it has the first. */
  know(header: Row, { columns, known }: { columns: number; known: number }): void {
    this.#header = header
    this.#beside = known > columns ? { column: columns, cell: header[columns] ?? null } : undefined
  }

  /** The same reading, whose header row is taken note of as it comes. */
  noting(reading: Reading): Reading {
    this.know([], { columns: 0, known: 0 })
    const note = (first: Uint8Array) => {
      this.#header = parseRow(Buffer.from(first).toString())
    }
    return {
      batches: noted(),
      get requests() {
        return reading.requests
      },
    }

    async function* noted(): AsyncGenerator<Uint8Array[]> {
      let isFirst = true
      for await (const batch of reading.batches) {
        const [first] = batch
        if (isFirst && first) note(first)
        isFirst = false
        yield batch
      }
    }
  }

  /** Where it is. */
  row({ sheet_id, title }: TabState, columns: number): HeaderRow {
    return { sheet_id, title, start_row: this.#place.start_row, columns }
  }

  /**
   * Looks once more. Answers the spreadsheet with its tab and the one called `fence`; null where one of them has another title by now,
   * or the tab is yet to be created. Throws as `compare` does.
   */
  async look(tab: TabState, columns: number, staging_tab: string): Promise<Spreadsheet | null> {
    const seen = tab.exists ? await this.#read(this.row(tab, columns), staging_tab) : null
    if (!seen) return null
    this.compare(seen, columns)
    return seen.spreadsheet
  }

  /** Takes the header row as it is by now. Throws OriginFailure `tab_gone` when columns were moved since the rows were read. */
  compare({ header }: SeenHeader, columns: number): void {
    if (isMoved(this.#header, header, columns)) throw moved(this.#place.titled)
    this.#beside = { column: columns, cell: header[columns] ?? null }
  }

  /** Of one commit, by what is known right before it. */
  proof(tab: TabState, columns: number, signal: AbortSignal) {
    const { spreadsheet_id, start_row } = this.#place
    const beside = isAlone(tab, columns) || this.#beside?.column !== columns ? null : this.#beside
    const row = this.row(tab, columns)
    const words = this.#header.slice(0, columns).map(wordOf)
    let after: Row | null = null
    let duplicates: number | null = null
    return {
      /** Those of the header row, null for other cells: where they stand is proved with the commit itself. */
      words,
      /** Whether nothing but the cell right of the table can tell, so that it should come with the answer. */
      needsHeader: beside !== null && words.every((word) => word === null),
      /** Sends the commit; the answer has the header row as it stands afterwards. */
      send: (requests: BatchRequest[]) =>
        batchUpdateAndReadHeader(this.#session, spreadsheet_id, requests, { row, signal }),
      /** Takes note of an answer, and returns the spreadsheet in it. */
      take(seen: CommittedHeader): Spreadsheet {
        after = seen.header
        duplicates = seen.duplicates
        return seen.spreadsheet
      },
      /** What shows that columns may have been moved: a cell, or, null, the words of the header row; null: nothing does. */
      shifted: async (): Promise<Shifted | null> => {
        if (duplicates === 1) return null
        const otherWords = duplicates === null ? null : { cell: null }
        if (!beside) return otherWords
        // It was lost, or not asked for.
        after ??= (await this.#read(row, null))?.header ?? null
        const { column, cell } = beside
        return after && (after[column] ?? null) === cell
          ? otherWords
          : { cell: cellAddress(start_row, column) }
      },
    }
  }

  #read(row: HeaderRow, staging_tab: string | null): Promise<SeenHeader | null> {
    return readHeader(this.#session, this.#place.spreadsheet_id, row, staging_tab)
  }
}

/** Nothing can be moved into a table that takes up all of the grid. */
const isAlone = ({ exists, grid }: TabState, columns: number) => !exists || grid.columns <= columns

/** Whether words are not where they were. Other cells may read otherwise in another kind of answer, so they count for nothing. */
function isMoved(before: Row, now: Row, columns: number): boolean {
  for (let column = 0; column < columns; column += 1) {
    const [was, is] = [before[column] ?? null, now[column] ?? null]
    if (was !== is && (isWord(was) || isWord(is))) return true
  }
  return false
}

const isWord = (cell: CellValue) => wordOf(cell) !== null

const wordOf = (cell: CellValue) =>
  typeof cell === 'string' && cell !== '' && !cell.startsWith('=') ? cell : null

const moved = (title: string) =>
  new OriginFailure('tab_gone', `Columns of ${title} were moved, or headers edited, while it was copied.`)
