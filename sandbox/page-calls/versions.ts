import type { Book, BookState } from '../sheets/model/book.ts'

/** Numbers the committed states of books in the order in which they are first asked for. */
export class Versions {
  readonly #numbers = new WeakMap<BookState, number>()
  // A page that outlives a restart of the sandbox must not take new numbers for old ones.
  #last = Date.now()

  /** A number that changes whenever the book does. Modification times cannot serve: two changes may share a millisecond. */
  of(book: Book): number {
    const known = this.#numbers.get(book.state)
    if (known !== undefined) return known
    this.#last += 1
    this.#numbers.set(book.state, this.#last)
    return this.#last
  }
}
