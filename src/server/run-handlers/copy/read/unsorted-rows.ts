import { setImmediate as nextTurn } from 'node:timers/promises'
import { rowServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { CellValue, Row } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { PlainRow } from '../../plain-row.ts'
import { RowBlocks } from './row-blocks.ts'
import type { Order } from './row-order.ts'

/** Maximum size of rows that are sorted, which is done in memory: about a million rows of 20 short cells. */
const MAX_MB = 200

type Kept = { json: Uint8Array; size: PlainRow; number: number }

/** Collects rows of the copy that are to be sorted by values of their source rows. */
export class UnsortedRows {
  readonly #order: Order
  readonly #title: string
  readonly #rows = new RowBlocks()
  readonly #keys: CellValue[][] = []
  readonly #sizes: PlainRow[] = []
  readonly #numbers: number[] = []

  /** `title`: of the source, for people. */
  constructor(order: Order, title: string) {
    this.#order = order
    this.#title = title
  }

  /** Adds a row of the copy. Throws RunFailure if the rows become too large. */
  add({ json, size, number }: Kept, source: Row): void {
    if (this.#rows.bytes + json.length > MAX_MB * 1_000_000)
      throw new RunFailure(messages.too_large_to_sort(this.#title, MAX_MB), { retryable: false })
    this.#rows.add(json)
    this.#keys.push(this.#order.keysOf(source))
    this.#sizes.push(size)
    this.#numbers.push(number)
  }

  /** The first `most` rows in their order; equal ones in that of the source. Lets the process do other work in between. */
  async *sorted(most: number): AsyncGenerator<Kept> {
    const keys = this.#keys
    const order = await sortedIndexes(keys.length, (one, other) =>
      this.#order.compare(keys[one] ?? [], keys[other] ?? []),
    )
    for (const index of order.slice(0, most)) {
      const [json, size, number] = [this.#rows.at(index), this.#sizes[index], this.#numbers[index]]
      if (json && size && number !== undefined) yield { json, size, number }
    }
  }
}

/** Indexes that are sorted or merged without a pause: some ten milliseconds. */
const STEP = 10_000

/** Sorts the numbers from 0 to `length`, stably: sorted pieces are merged in pairs, with a pause after each step. */
async function sortedIndexes(
  length: number,
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  let pieces: number[][] = []
  for (let from = 0; from < length; from += STEP) {
    const piece = Array.from({ length: Math.min(STEP, length - from) }, (_, n) => from + n)
    pieces.push(piece.sort(compare))
    await nextTurn()
  }
  while (pieces.length > 1) {
    const merged: number[][] = []
    for (let at = 0; at < pieces.length; at += 2)
      merged.push(await mergeTwo(pieces[at] ?? [], pieces[at + 1] ?? [], compare))
    pieces = merged
  }
  return pieces[0] ?? []
}

async function mergeTwo(
  ones: readonly number[],
  others: readonly number[],
  compare: (one: number, other: number) => number,
): Promise<number[]> {
  const merged: number[] = []
  for (let [at, other] = [0, 0]; at < ones.length || other < others.length; ) {
    const [a, b] = [ones[at], others[other]]
    if (a !== undefined && (b === undefined || compare(a, b) <= 0)) {
      merged.push(a)
      at += 1
    } else if (b !== undefined) {
      merged.push(b)
      other += 1
    }
    if (merged.length % STEP === 0) await nextTurn()
  }
  return merged
}
