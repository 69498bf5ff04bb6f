/** Characters that are kept: some 40,000 rows of 20 short cells, and some 50 MB of memory. */
const KEPT_CHARACTERS = 8_000_000

/** The first data rows of a copy as the JSON they were stored as, so that small tables need not be read back for comparing. */
export class KeptTexts {
  readonly #texts: string[] = []
  #characters = 0

  /** Adds the next data row. */
  add(text: string): void {
    this.#characters += text.length
    if (this.#characters <= KEPT_CHARACTERS) this.#texts.push(text)
  }

  /** Data rows count from 1; undefined for those past the ones that are kept. */
  get(row: number): string | undefined {
    return this.#texts[row - 1]
  }
}
