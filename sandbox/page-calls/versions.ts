import type { Book, BookState } from '../sheets/model/book.ts'

/** Assigns version numbers to committed book states. */
export class Versions {
  readonly #numbers = new WeakMap<BookState, number>()
  // Starts at the current time, so that a page that stays open during a restart does not see old numbers again.
  #last = Date.now()

  /** Version of the current state. Modification times are not unique, because two changes may share a millisecond. */
  of(book: Book): number {
    const known = this.#numbers.get(book.state)
    if (known !== undefined) return known
    this.#last += 1
    this.#numbers.set(book.state, this.#last)
    return this.#last
  }
}
