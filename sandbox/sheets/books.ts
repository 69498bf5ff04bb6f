import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { notFound } from '../google-error.ts'
import { type ChangeKind, type FillBlock, isChangeKind, perform, type Replies } from './changes/changes.ts'
import { contextOf, type Overflow } from './changes/context.ts'
import { copySheet } from './changes/copy-sheet.ts'
import { copyBook, createBook, type NewBook } from './changes/create-book.ts'
import type { Book, BookDraft } from './model/book.ts'
import type { Entry } from './store/journal.ts'
import { Store } from './store/store.ts'

export interface BooksOptions {
  /** Clock for createdTime and modifiedTime. */
  readonly now?: () => Date
  /** Journal size that triggers compaction. Default: 64 MiB. */
  readonly compactAtBytes?: number
  /** Default 'refuse': programs must resize first, which works with any Google behaviour. */
  readonly overflow?: Overflow
}

const SheetCopy = z.object({ from: z.string(), sheetId: z.number() })

const Copy = z.object({ from: z.string(), title: z.string(), owner: z.string() })

const Description = z
  .strictObject({
    title: z.string(),
    trashed: z.boolean(),
    owner: z.string(),
    readers: z.array(z.string()),
    writers: z.array(z.string()),
  })
  .partial()

/** File metadata that can be changed. `anyone` among readers or writers means link sharing. */
export type Description = z.infer<typeof Description>

/**
 * All spreadsheets. Every change is written to the journal before the call returns, so it survives a kill -9. A change that throws
 * has no effect.
 */
export class Books {
  readonly #books = new Map<string, Book>()
  readonly #now: () => Date
  readonly #overflow: Overflow
  #store: Store | null = null

  private constructor({ now = () => new Date(), overflow = 'refuse' }: BooksOptions) {
    this.#now = now
    this.#overflow = overflow
  }

  /** Loads `directory` and creates it if needed; `null` keeps data in memory. Throws if files are damaged. */
  static async open(directory: string | null, options: BooksOptions = {}): Promise<Books> {
    const books = new Books(options)
    if (directory !== null) {
      const owner = {
        restore: (book: Book) => books.#books.set(book.id, book),
        replay: (entry: Entry) => books.#replay(entry),
        books: () => books.#books.values(),
      }
      books.#store = await Store.open(directory, owner, options.compactAtBytes)
    }
    return books
  }

  get(id: string): Book | undefined {
    this.#store?.disturb()
    return this.#books.get(id)
  }

  all(): Iterable<Book> {
    return this.#books.values()
  }

  /** Creates a book. Without `sheets` it has one empty tab `Sheet1` of 1000 x 26. */
  create(seed: NewBook & { id?: string }): Book {
    const { id = newBookId(), ...args } = seed
    return this.#create(this.#entry(id, 'create', args), true)
  }

  /** Copies a book without its permissions. Throws 404 for an unknown id. */
  copy(id: string, title: string, owner: string): Book {
    return this.#copy(this.#entry(newBookId(), 'copy', { from: id, title, owner }), true)
  }

  /** Copies a tab to a book and returns its SheetProperties. Throws 404 for an unknown book, 400 for an unknown tab. */
  copySheet(from: string, sheetId: number, to: string): object {
    return this.#copySheet(this.#entry(to, 'copySheet', { from, sheetId }), true)
  }

  /** Changes title, sharing or trash state. Throws 404 for an unknown id. */
  describe(id: string, patch: Description): Book {
    return this.#describe(this.#entry(id, 'describe', patch), true)
  }

  /** Deletes a book permanently. Throws 404 for an unknown id. */
  delete(id: string): void {
    this.#delete(this.#entry(id, 'delete', {}), true)
  }

  /**
   * Applies one change to a book atomically. Throws GoogleError. `by`: account of the caller; without it protected ranges are not
   * checked.
   */
  change<K extends ChangeKind>(id: string, kind: K, args: unknown, by?: string): Replies[K] {
    return this.#change(this.#entry(id, kind, args, by), kind, true)
  }

  /**
   * Writes a block of typed cells at `row`, `column` (from 0) and extends the tab if needed. A cell is a value or `{ value?,
   * format? }`; `undefined` keeps a cell. A format is `{ numberFormat: { type, pattern } }`.
   */
  fill(id: string, block: FillBlock): void {
    this.change(id, 'fill', block)
  }

  /** Waits for a running compaction. Changes are durable without it. */
  async flush(): Promise<void> {
    await this.#store?.flush()
  }

  /** Closes the files. No call may follow. */
  async close(): Promise<void> {
    await this.#store?.close()
  }

  #replay(entry: Entry): void {
    try {
      this.#again(entry)
    } catch (error) {
      throw new Error(`The journal's ${entry.kind} of ${entry.at} on ${entry.id} cannot be replayed`, {
        cause: error,
      })
    }
  }

  #again(entry: Entry): void {
    if (entry.kind === 'create') this.#create(entry, false)
    else if (entry.kind === 'copy') this.#copy(entry, false)
    else if (entry.kind === 'copySheet') this.#copySheet(entry, false)
    else if (entry.kind === 'describe') this.#describe(entry, false)
    else if (entry.kind === 'delete') this.#delete(entry, false)
    else if (isChangeKind(entry.kind)) this.#change(entry, entry.kind, false)
    else throw new Error('Unknown kind of change')
  }

  #create(entry: Entry, fresh: boolean): Book {
    return this.#add(entry, createBook(entry), fresh)
  }

  #copy(entry: Entry, fresh: boolean): Book {
    const { from, ...file } = Copy.parse(entry.args)
    return this.#add(entry, copyBook(this.#book(from), { ...file, id: entry.id, at: entry.at }), fresh)
  }

  #describe(entry: Entry, fresh: boolean): Book {
    const book = this.#book(entry.id)
    const patch = Description.parse(entry.args)
    if (fresh) this.#store?.append(entry)
    book.become({ ...book.state, ...patch, modifiedTime: entry.at })
    return book
  }

  #delete(entry: Entry, fresh: boolean): void {
    this.#book(entry.id)
    if (fresh) this.#store?.append(entry)
    this.#books.delete(entry.id)
  }

  #change<K extends ChangeKind>(entry: Entry, kind: K, fresh: boolean): Replies[K] {
    return this.#apply(entry, fresh, (draft) => perform(kind, draft, entry.args, contextOf(entry)))
  }

  #copySheet(entry: Entry, fresh: boolean): object {
    const { from, sheetId } = SheetCopy.parse(entry.args)
    return this.#apply(entry, fresh, (draft) => copySheet(draft, this.#book(from), sheetId, contextOf(entry)))
  }

  #apply<T>(entry: Entry, fresh: boolean, act: (draft: BookDraft) => T): T {
    const book = this.#book(entry.id)
    const draft = book.draft()
    const reply = act(draft)
    if (fresh) this.#store?.append(entry)
    book.become(draft.commit(entry.at))
    if (fresh) this.#store?.settle()
    return reply
  }

  #add(entry: Entry, book: Book, fresh: boolean): Book {
    if (fresh) this.#store?.append(entry)
    this.#books.set(book.id, book)
    return book
  }

  #entry(id: string, kind: string, args: unknown, by?: string): Entry {
    const overflow = this.#overflow
    return { id, kind, args, at: this.#now().toISOString(), seed: randomInt(2 ** 31), overflow, by }
  }

  #book(id: string): Book {
    const book = this.#books.get(id)
    if (!book) throw notFound()
    return book
  }
}

/** 44 characters, like Google's ids. */
function newBookId(): string {
  return `1${randomBytes(33).toString('base64url').slice(0, 43)}`
}
