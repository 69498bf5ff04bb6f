import { hash } from 'node:crypto'
import type { Row } from '../../contract/tables.ts'

// 13 hexadecimal digits are 52 bits, which a number holds exactly. Two of them make a wrong match of two rows practically impossible.
const HASH_DIGITS = 13

/** Rows of a table in order of their numbers, as hashes of their cells and of their key. Blank rows are left out. */
export class HashedRows {
  readonly #numbers: number[] = []
  readonly #first: number[] = []
  readonly #second: number[] = []
  readonly #keys: (number | null)[] = []
  readonly #filled: number[] = []

  get length(): number {
    return this.#numbers.length
  }

  /** `key`: identifies the row, whatever its other cells are; null: none. `filled`: its filled cells, also those that are not compared. */
  add(row: number, cells: Row, key: string | null, filled = filledOf(cells)): void {
    if (filled === 0) return
    const digest = hash('sha256', JSON.stringify(cells))
    this.#numbers.push(row)
    this.#first.push(Number.parseInt(digest.slice(0, HASH_DIGITS), 16))
    this.#second.push(Number.parseInt(digest.slice(HASH_DIGITS, 2 * HASH_DIGITS), 16))
    this.#keys.push(key === null ? null : Number.parseInt(hash('sha256', key).slice(0, HASH_DIGITS), 16))
    this.#filled.push(filled)
  }

  /** Number of the row at `index`; -1 past the end. */
  numberOf = (index: number): number => this.#numbers[index] ?? -1

  /** Number of its filled cells. */
  filledOf = (index: number): number => this.#filled[index] ?? 0

  keyOf = (index: number): number | null => this.#keys[index] ?? null

  /** Orders two rows of any tables by content; 0: they have the same cells. */
  compareContent = (index: number, other: HashedRows, otherIndex: number): number =>
    (this.#first[index] ?? 0) - (other.#first[otherIndex] ?? 0) ||
    (this.#second[index] ?? 0) - (other.#second[otherIndex] ?? 0)
}

/** Number of cells with a value. */
export const filledOf = (cells: Row): number =>
  cells.reduce<number>((sum, cell) => (cell === null ? sum : sum + 1), 0)

/**
 * A row of the former table (`old`) and the same row of the wanted one (`now`), as indexes of their HashedRows. `content`: they have the
 * same cells. `key`: the same key. `place`: they follow the same row; whether they are the same is up to their cells.
 */
export type RowPair = { old: number; now: number; by: 'content' | 'key' | 'place' }

/**
 * Finds the rows of two tables that are the same: by content where they stand, by content anywhere, by unique keys, and last by their
 * place. Each row is part of at most one pair. Of rows with the same content, the first ones are paired. Ordered by `now`.
 */
export function matchRows(old: HashedRows, now: HashedRows): RowPair[] {
  const pairs = new Pairs(old, now)
  pairInPlace(pairs)
  pairByContent(pairs)
  pairByKey(pairs)
  pairByNeighbour(pairs)
  return pairs.list()
}

class Pairs {
  readonly old: HashedRows
  readonly now: HashedRows
  readonly #partnerOfOld: Int32Array
  readonly #partnerOfNow: Int32Array
  readonly #by = new Map<number, 'key' | 'place'>()

  constructor(old: HashedRows, now: HashedRows) {
    this.old = old
    this.now = now
    this.#partnerOfOld = new Int32Array(old.length).fill(-1)
    this.#partnerOfNow = new Int32Array(now.length).fill(-1)
  }

  add({ old, now, by }: RowPair): void {
    this.#partnerOfOld[old] = now
    this.#partnerOfNow[now] = old
    if (by !== 'content') this.#by.set(now, by)
  }

  isOldFree = (index: number): boolean => this.#partnerOfOld[index] === -1
  isNowFree = (index: number): boolean => this.#partnerOfNow[index] === -1

  /** Index of the row paired with a row of the wanted table; -1: none. */
  partnerOfNow = (index: number): number => this.#partnerOfNow[index] ?? -1

  freeOld(): number[] {
    return indexesOf(this.old.length, this.isOldFree)
  }

  freeNow(): number[] {
    return indexesOf(this.now.length, this.isNowFree)
  }

  list(): RowPair[] {
    return indexesOf(this.now.length, (index) => !this.isNowFree(index)).map((now) => ({
      old: this.partnerOfNow(now),
      now,
      by: this.#by.get(now) ?? 'content',
    }))
  }
}

function indexesOf(length: number, isWanted: (index: number) => boolean): number[] {
  const indexes: number[] = []
  for (let index = 0; index < length; index += 1) if (isWanted(index)) indexes.push(index)
  return indexes
}

function pairInPlace(pairs: Pairs): void {
  const { old, now } = pairs
  for (let at = 0, index = 0; index < now.length; index += 1) {
    while (at < old.length && old.numberOf(at) < now.numberOf(index)) at += 1
    if (old.numberOf(at) === now.numberOf(index) && old.compareContent(at, now, index) === 0)
      pairs.add({ old: at, now: index, by: 'content' })
  }
}

function pairByContent(pairs: Pairs): void {
  const { old, now } = pairs
  // Sorting is stable, so rows of the same content keep their order.
  const olds = pairs.freeOld().sort((one, other) => old.compareContent(one, old, other))
  const nows = pairs.freeNow().sort((one, other) => now.compareContent(one, now, other))
  let at = 0
  for (const index of nows) {
    while (at < olds.length && old.compareContent(olds[at] ?? 0, now, index) < 0) at += 1
    const found = olds[at]
    if (found === undefined || old.compareContent(found, now, index) !== 0) continue
    pairs.add({ old: found, now: index, by: 'content' })
    at += 1
  }
}

function pairByKey(pairs: Pairs): void {
  const { old, now } = pairs
  const olds = uniqueKeys(pairs.freeOld(), old)
  for (const [key, index] of uniqueKeys(pairs.freeNow(), now)) {
    const found = olds.get(key)
    if (found !== undefined) pairs.add({ old: found, now: index, by: 'key' })
  }
}

function uniqueKeys(indexes: readonly number[], rows: HashedRows): Map<number, number> {
  const found = new Map<number, number>()
  const repeated = new Set<number>()
  for (const index of indexes) {
    const key = rows.keyOf(index)
    if (key === null) continue
    if (found.has(key)) repeated.add(key)
    found.set(key, index)
  }
  for (const key of repeated) found.delete(key)
  return found
}

/** Pairs rows without a partner that follow rows which are the same. Rows with two different keys are never the same. */
function pairByNeighbour(pairs: Pairs): void {
  const { old, now } = pairs
  const freeOld = new Map(pairs.freeOld().map((index) => [old.numberOf(index), index]))
  // How much further down the rows before stood in the former table.
  let shift = 0
  for (let index = 0; index < now.length; index += 1) {
    const row = now.numberOf(index)
    // The row before is equal in both tables.
    if (row !== now.numberOf(index - 1) + 1) shift = 0
    if (!pairs.isNowFree(index)) {
      shift = old.numberOf(pairs.partnerOfNow(index)) - row
      continue
    }
    const found = freeOld.get(row + shift)
    if (found === undefined || !pairs.isOldFree(found)) continue
    if (old.keyOf(found) !== null && now.keyOf(index) !== null) continue
    pairs.add({ old: found, now: index, by: 'place' })
  }
}
