import { distance } from 'fastest-levenshtein'
import { limits } from '../../../../contract/limits.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, hasRow } from '../../../snapshots/bit-sets.ts'
import { eachPart } from './sku-parts.ts'

/** A master SKU by row, with its edit distance. 0 means that only case, dashes, blanks or leading zeros differ. */
export type NearSku = { row_no: number; distance: number }

/** Upper limit, since longer SKUs would match by coincidence. */
const MAX_CHANGES = 3
/** One edit per this number of letters. */
const LETTERS_TO_A_CHANGE = 4

/** Finds the closest SKUs of the master for each given SKU. `among` is the set of the master's rows. */
export async function nearestSkus(
  db: Db,
  { rows_of, among, skus }: { rows_of: number; among: BitSet; skus: readonly string[] },
): Promise<Map<string, NearSku[]>> {
  const searches = skus.map((sku) => new Search(sku))
  if (searches.length > 0)
    for await (const part of eachPart(db, rows_of))
      for (const { row_no, sku } of part) {
        if (sku === '' || !hasRow(among, row_no)) continue
        const folded = foldSku(sku)
        const letters = lettersOf(folded)
        for (const search of searches) search.consider(row_no, folded, letters)
      }
  return new Map(searches.map(({ sku, found }) => [sku, found]))
}

/** Normalizes a SKU: removes differences in case, dashes, blanks and leading zeros. */
const foldSku = (sku: string): string =>
  sku
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}_]/gu, '')
    .replace(/^0+(?=.)/, '')

class Search {
  readonly sku: string
  readonly found: NearSku[] = []
  readonly #folded: string
  readonly #letters: number
  #most: number

  constructor(sku: string) {
    this.sku = sku
    this.#folded = foldSku(sku)
    this.#letters = lettersOf(this.#folded)
    this.#most = Math.min(MAX_CHANGES, Math.floor(this.#folded.length / LETTERS_TO_A_CHANGE))
  }

  consider(row_no: number, folded: string, letters: number): void {
    if (Math.abs(folded.length - this.#folded.length) > this.#most) return
    // Each edit changes at most two bits of the letter mask.
    if (bitsOf(letters ^ this.#letters) > 2 * this.#most) return
    const changes = folded === this.#folded ? 0 : distance(folded, this.#folded)
    if (changes > this.#most) return
    const place = this.found.findIndex((other) => other.distance > changes)
    this.found.splice(place < 0 ? this.found.length : place, 0, { row_no, distance: changes })
    if (this.found.length <= limits.unmatched_candidates) return
    this.found.pop()
    // Further candidates have to be closer than the last result.
    this.#most = (this.found.at(-1)?.distance ?? 0) - 1
  }
}

/** Bit mask of the letters in a text. Some letters share a bit. */
function lettersOf(text: string): number {
  let letters = 0
  for (let n = 0; n < text.length; n += 1) letters |= 1 << (text.charCodeAt(n) & 31)
  return letters
}

function bitsOf(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}
