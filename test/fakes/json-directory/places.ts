import { readdirSync } from 'node:fs'
import { OriginFailure } from '../../../src/server/connectors/connector.ts'
import type { SpreadsheetCatalog } from '../../../src/server/connectors/table-provider.ts'
import { Book, trimmed } from './table-file.ts'

/** Folders to choose from; every user has access to all of them. */
export function places(root: string): SpreadsheetCatalog {
  const rowsOf = (book: Book, name: string, start_row: number) =>
    trimmed(book.table(name).rows.slice(start_row - 1)).length
  return {
    async list(_person, search) {
      const found = readdirSync(root).map((id) => ({ id, name: new Book(root, id).title }))
      return found
        .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
        .map((book) => ({ ...book, modified_at: null, owner: null }))
    },
    async describe(_person, id) {
      const book = new Book(root, id)
      const tabs = book.names.map((title) => ({ title, rows: rowsOf(book, title, 1), columns: 0 }))
      return { id, name: book.title, tabs }
    },
    async currentRows(_person, { spreadsheet_id, sheet_name, start_row }) {
      const book = new Book(root, spreadsheet_id)
      const name = book.find({ place: null, sheet_name })
      return name === null ? 0 : Math.max(0, rowsOf(book, name, start_row) - 1)
    },
    async find(_accounts, id) {
      try {
        return { name: new Book(root, id).title, error: null }
      } catch (error) {
        if (error instanceof OriginFailure) return { name: null, error: error.message }
        throw error
      }
    },
    async readiness({ spreadsheet_id, start_row, ...table }) {
      const book = new Book(root, spreadsheet_id)
      const name = book.find(table)
      const rows = name === null ? 0 : rowsOf(book, name, start_row) - 1
      return { ready: rows > 0, message: `${rows} rows below the header of ${table.sheet_name}.` }
    },
    async readCell({ spreadsheet_id, row, column, ...table }) {
      const book = new Book(root, spreadsheet_id)
      const name = book.find(table)
      return name === null ? null : (book.table(name).rows[row]?.[column] ?? null)
    },
  }
}
