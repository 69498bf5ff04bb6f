import { z } from 'zod'
import { Book, type BookState, emptySheet, Sheet, SheetDraft } from '../model/book.ts'
import { FormatTable } from '../model/cell-format.ts'
import { contextOf } from './context.ts'
import { TypedRows, writeTypedRows } from './typed-cells.ts'

const NewSheet = z.strictObject({
  title: z.string(),
  sheetId: z.number().int().nonnegative().optional(),
  rowCount: z.number().int().positive().default(1000),
  columnCount: z.number().int().positive().default(26),
  rows: TypedRows.default([]),
})

export const NewBook = z.strictObject({
  title: z.string(),
  owner: z.string(),
  locale: z.string().default('en_US'),
  timeZone: z.string().default('Etc/GMT'),
  readers: z.array(z.string()).default([]),
  writers: z.array(z.string()).default([]),
  sheets: z.array(NewSheet).default([{ title: 'Sheet1', rowCount: 1000, columnCount: 26, rows: [] }]),
})
export type NewBook = z.input<typeof NewBook>

/** Creates the book of a `create` request. The id of its first tab defaults to 0. */
export function createBook(entry: { id: string; at: string; seed: number; args: unknown }): Book {
  const { sheets: seeds, ...rest } = NewBook.parse(entry.args)
  const { random } = contextOf(entry)
  const formats = new FormatTable()
  const sheets = seeds.map(({ title, sheetId, rowCount, columnCount, rows }, index) => {
    const id = sheetId ?? (index === 0 ? 0 : random())
    const draft = new SheetDraft(emptySheet(id, { title }, rowCount, columnCount))
    writeTypedRows(draft.grid, formats, 0, 0, rows)
    return draft.commit(formats)
  })
  const times = { createdTime: entry.at, modifiedTime: entry.at }
  return new Book(entry.id, { ...rest, ...times, trashed: false, namedRanges: [], sheets }, formats)
}

/** Copies a state as a new file owned by `owner`, without permissions. */
export function copyBook(source: Book, copy: { id: string; at: string; title: string; owner: string }): Book {
  const { id, at, title, owner } = copy
  const sheets = source.sheets.map((sheet) => new Sheet(sheet, source.formats))
  const state: BookState = {
    ...source.state,
    sheets,
    title,
    owner,
    readers: [],
    writers: [],
    createdTime: at,
    modifiedTime: at,
    trashed: false,
  }
  // Format numbers stay valid, because the format table is shared and append-only.
  return new Book(id, state, source.formats)
}
