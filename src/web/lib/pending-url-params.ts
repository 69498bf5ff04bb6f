/** Query parameters of the URL including navigations that are still pending. */
export class PendingUrlParams {
  #params: URLSearchParams
  /** Pending navigations, oldest first. */
  #asked: string[] = []

  constructor(params: URLSearchParams) {
    this.#params = params
  }

  /** Returns the parameters to navigate to; they include all earlier changes. */
  change(next: (before: URLSearchParams) => URLSearchParams): URLSearchParams {
    this.#params = next(this.#params)
    this.#asked.push(String(this.#params))
    return this.#params
  }

  /** Records the parameters of the URL now. On a slow machine an earlier navigation can arrive while a later one is pending. */
  arrive(params: URLSearchParams): void {
    const place = this.#asked.lastIndexOf(String(params))
    this.#asked = place < 0 ? [] : this.#asked.slice(place + 1)
    if (this.#asked.length === 0) this.#params = params
  }
}
