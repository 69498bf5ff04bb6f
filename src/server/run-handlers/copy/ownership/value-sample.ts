import type { CellValue } from '../../../../contract/tables.ts'

const MAX_VALUES = 20_000

/** FNV-1a over the UTF-16 units of a cell's JSON. */
function numberOf(cell: CellValue): number {
  const text = JSON.stringify(cell)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Counts the values of a column in any order, so that sorted rows still match. Samples large columns by hash. */
export class ValueSample {
  readonly #counts = new Map<number, number>()
  #mask = 0

  add(cell: CellValue): void {
    const value = numberOf(cell)
    if ((value & this.#mask) !== 0) return
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
    while (this.#counts.size > MAX_VALUES) this.#thin()
  }

  /** Removes one occurrence of the value and returns whether there was one; null: the hash is not in the sample. */
  take(cell: CellValue): boolean | null {
    const value = numberOf(cell)
    if ((value & this.#mask) !== 0) return null
    const left = this.#counts.get(value) ?? 0
    if (left > 0) this.#counts.set(value, left - 1)
    return left > 0
  }

  #thin(): void {
    this.#mask = this.#mask * 2 + 1
    for (const value of this.#counts.keys()) if ((value & this.#mask) !== 0) this.#counts.delete(value)
  }
}
