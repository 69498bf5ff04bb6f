import { NumberFormat } from '../../../contract/tables.ts'

const NONE = new Uint16Array()

/**
 * The number formats of the cells of many rows, which have few different ones, as the JSON that they came as: of most cells nobody asks
 * for it.
 */
export class GridFormats {
  /** What is in use; 0 is no format. */
  readonly #texts: Buffer[] = [Buffer.alloc(0)]
  /** Of each row, by those numbers, as far as it has formats; a row like the one above shares its list. */
  readonly #rows: Uint16Array[] = []
  /** Those that have been asked for, by their numbers: as FormatCollector takes them. */
  readonly #keys = ['']
  #row = new Uint16Array(64)
  #width = 0

  /** Sets the format of a cell of the row that is being taken, from left to right. */
  add(column: number, from: Buffer, start: number, end: number): void {
    if (column >= this.#row.length) this.#grow(column + 1)
    for (; this.#width < column; this.#width += 1) this.#row[this.#width] = 0
    const above = this.#rows.at(-1)?.[column] ?? 0
    this.#row[column] = this.#is(above, from, start, end) ? above : this.#numberOf(from, start, end)
    this.#width = column + 1
  }

  /** Ends the row. */
  close(): void {
    const above = this.#rows.at(-1) ?? NONE
    const isSame =
      above.length === this.#width && above.every((number, column) => number === this.#row[column])
    this.#rows.push(isSame ? above : this.#row.slice(0, this.#width))
    this.#width = 0
  }

  /** Columns of the widest row. */
  get width(): number {
    return this.#rows.reduce((most, { length }) => Math.max(most, length), 0)
  }

  /** The format of a cell as JSON; '': none was given. */
  key(row: number, column: number): string {
    const number = this.#rows[row]?.[column] ?? 0
    const known = this.#keys[number]
    if (known !== undefined) return known
    const { success, data } = NumberFormat.safeParse(JSON.parse(this.#texts[number]?.toString() ?? ''))
    const key = success ? JSON.stringify(data) : ''
    this.#keys[number] = key
    return key
  }

  /** Whether all cells of a column have one format in the rows from `first` up to, not including, `end`, blank cells among them. */
  isUniform(column: number, first: number, end: number): boolean {
    const wanted = this.#rows[first]?.[column] ?? 0
    let above: Uint16Array | undefined
    for (let row = first; row < end; row += 1) {
      const numbers = this.#rows[row]
      if (numbers !== undefined && numbers === above) continue
      if ((numbers?.[column] ?? 0) !== wanted) return false
      above = numbers
    }
    return true
  }

  #is(number: number, from: Buffer, start: number, end: number): boolean {
    const text = this.#texts[number]
    if (number === 0 || !text || text.length !== end - start) return false
    for (let n = 0; n < text.length; n += 1) if (text[n] !== from[start + n]) return false
    return true
  }

  #numberOf(from: Buffer, start: number, end: number): number {
    const known = this.#texts.findIndex((_, number) => this.#is(number, from, start, end))
    if (known > 0) return known
    this.#texts.push(Buffer.from(from.subarray(start, end)))
    return this.#texts.length - 1
  }

  #grow(needed: number): void {
    const grown = new Uint16Array(Math.max(needed, this.#row.length * 2))
    grown.set(this.#row)
    this.#row = grown
  }
}
