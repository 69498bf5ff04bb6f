/** A set of row numbers as it is stored: bit 0 of the first byte is row 1. Bytes missing at the end are zero. */
export type BitSet = Uint8Array

const BITS_OF_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let count = 0
  for (let rest = byte; rest > 0; rest &= rest - 1) count += 1
  return count
})

const bitsOf = (byte: number) => BITS_OF_BYTE[byte] ?? 0

export const hasRow = (set: BitSet, row_no: number): boolean =>
  (((set[(row_no - 1) >> 3] ?? 0) >> ((row_no - 1) & 7)) & 1) === 1

/** The rows whose byte satisfies a condition. `bytes`: one byte per row, starting with row 1. */
export function rowsWhere(bytes: Uint8Array, holds: (byte: number) => boolean): BitSet {
  const wanted = Uint8Array.from({ length: 256 }, (_, byte) => (holds(byte) ? 1 : 0))
  const found = new Uint8Array(Math.ceil(bytes.length / 8))
  for (let n = 0; n < bytes.length; n += 1)
    found[n >> 3] = (found[n >> 3] ?? 0) | ((wanted[bytes[n] ?? 0] ?? 0) << (n & 7))
  return found
}

export function countRows(set: BitSet): number {
  let count = 0
  for (const byte of set) count += bitsOf(byte)
  return count
}

/** The rows among the first `rows` that satisfy all conditions: in the set if `wanted`, else not in it. */
export function matchingRows(rows: number, conditions: readonly { set: BitSet; wanted: boolean }[]): BitSet {
  const found = new Uint8Array(Math.ceil(rows / 8)).fill(0xff)
  if (rows % 8 > 0) found[found.length - 1] = 0xff >> (8 - (rows % 8))
  for (const { set, wanted } of conditions)
    for (let n = 0; n < found.length; n += 1)
      found[n] = (found[n] ?? 0) & (wanted ? (set[n] ?? 0) : ~(set[n] ?? 0))
  return found
}

/** A page of the row numbers in a set, in ascending order. */
export function rowNumbers(set: BitSet, { offset, limit }: { offset: number; limit: number }): number[] {
  const found: number[] = []
  let passed = 0
  for (let n = 0; n < set.length && found.length < limit; n += 1) {
    const byte = set[n] ?? 0
    if (passed + bitsOf(byte) <= offset) {
      passed += bitsOf(byte)
      continue
    }
    for (let bit = 0; bit < 8 && found.length < limit; bit += 1) {
      if (((byte >> bit) & 1) === 0) continue
      if (passed >= offset) found.push(n * 8 + bit + 1)
      passed += 1
    }
  }
  return found
}

/** The row number of the `place`th row (counted from 1) that is not in the set. */
export function rowOutside(set: BitSet, place: number): number {
  let left = place
  for (const [n, byte] of set.entries()) {
    if (left > 8 - bitsOf(byte)) {
      left -= 8 - bitsOf(byte)
      continue
    }
    for (let bit = 0; bit < 8; bit += 1) {
      left -= 1 - ((byte >> bit) & 1)
      if (left === 0) return n * 8 + bit + 1
    }
  }
  return set.length * 8 + left
}
