import type { Books } from './books.ts'
import type { Mask } from './fields/mask.ts'
import type { Book } from './model/book.ts'
import type { Query } from './query.ts'

/** Parameters of a Sheets call. */
export interface Call {
  readonly books: Books
  readonly book: Book
  /** Email address of the caller. */
  readonly caller: string
  /** Range of the path, or sheet of `copyTo`; '' if there is none. */
  readonly range: string
  readonly query: Query
  readonly body: unknown
  /** The caller's field mask, used to skip work for fields that are not requested. */
  readonly mask: Mask | null
}

/** A reply before the field mask is applied, and its ledger details. */
export interface Answer {
  readonly reply: object
  readonly ranges: readonly string[]
  readonly cells: number
}
