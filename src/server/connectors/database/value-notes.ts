/** Ways in which values are changed to be stored. */
export type ValueNote = 'long_number' | 'bytes' | 'nul' | 'not_utf8' | 'short_float'

/** Counts changed values by kind and column (counted from 0). */
export class ValueNotes {
  readonly #counts = new Map<ValueNote, Map<number, number>>()

  add(note: ValueNote, column: number, times = 1): void {
    const columns = this.#counts.get(note) ?? new Map<number, number>()
    this.#counts.set(note, columns.set(column, (columns.get(column) ?? 0) + times))
  }

  entries(): { note: ValueNote; column: number; times: number }[] {
    return [...this.#counts].flatMap(([note, columns]) =>
      [...columns].map(([column, times]) => ({ note, column, times })),
    )
  }
}
