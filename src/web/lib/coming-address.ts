/** What the address will hold behind its question mark, once all that was asked for has arrived there. */
export class ComingAddress {
  #params: URLSearchParams
  /** What was asked for and has not arrived, oldest first. */
  #asked: string[] = []

  constructor(params: URLSearchParams) {
    this.#params = params
  }

  /** Answers what is to be asked for; it builds on all changes before. */
  change(next: (before: URLSearchParams) => URLSearchParams): URLSearchParams {
    this.#params = next(this.#params)
    this.#asked.push(String(this.#params))
    return this.#params
  }

  /** Takes note of what the address holds now. On a slow machine an earlier change of ours arrives when a later one is under way. */
  arrive(params: URLSearchParams): void {
    const place = this.#asked.lastIndexOf(String(params))
    this.#asked = place < 0 ? [] : this.#asked.slice(place + 1)
    if (this.#asked.length === 0) this.#params = params
  }
}
