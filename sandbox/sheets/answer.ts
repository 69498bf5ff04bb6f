import type { Books } from './books.ts'
import type { Mask } from './fields/mask.ts'
import type { Book } from './model/book.ts'
import type { Query } from './query.ts'

/** What a call has at hand. */
export interface Call {
  readonly books: Books
  readonly book: Book
  /** Whose call it is, by address. */
  readonly caller: string
  /** The range in the path, or the sheet of `copyTo`; '' where the path has none. */
  readonly range: string
  readonly query: Query
  readonly body: unknown
  /** The caller's field mask, for calls that leave out work that nobody will see. */
  readonly mask: Mask | null
}

/** A reply before the field mask, and what the ledger is called with the call. */
export interface Answer {
  readonly reply: object
  readonly ranges: readonly string[]
  readonly cells: number
}
