import { hash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'

/** Bytes of a hash. Two rows with one hash matter only where one of them was cleared. */
const BYTES = 4

/** Hashes of the cells to the right of a table, one per row, compressed, as Base64. `from`: the first of these columns, from 0. */
export const Beside = z.object({ from: z.int(), hashes: z.string() })
export type Beside = z.infer<typeof Beside>

/** The hash of the cells to the right of a row; null: all are blank. */
export function hashBeside(cells: Row): number | null {
  const end = cells.findLastIndex((cell) => cell !== null) + 1
  if (end === 0) return null
  // 0 means that all are blank.
  return hash('sha256', JSON.stringify(cells.slice(0, end)), 'buffer').readUInt32LE() || 1
}

/** Hashes the cells of each row from the column `from` on. */
export function besideOf(rows: { length: number; row: (number: number) => Row }, from: number): Beside {
  const hashes = Buffer.alloc(rows.length * BYTES)
  for (let row = 1; row <= rows.length; row += 1)
    hashes.writeUInt32LE(hashBeside(rows.row(row).slice(from)) ?? 0, (row - 1) * BYTES)
  return { from, hashes: deflateRawSync(hashes).toString('base64') }
}

/** Returns the stored hash of a row; null: all its cells there were blank. */
export function readBeside({ hashes }: Beside): (row: number) => number | null {
  const stored = inflateRawSync(Buffer.from(hashes, 'base64'))
  return (row) => (row * BYTES <= stored.length ? stored.readUInt32LE((row - 1) * BYTES) || null : null)
}
