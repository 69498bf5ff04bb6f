import type { NumberedRow, Patches } from '../../connectors/connector.ts'
import { BLANK_ROW } from '../../connectors/row-json.ts'
import type { Difference } from './comparison.ts'
import { cellsWithin, placeOfCells } from './row-differences.ts'
import type { SourceCopy } from './source-copy.ts'

/** More rows in between are worth a range of their own. */
const MOST_SKIPPED = 20

const UNCHANGED = 'null,'
const OPEN = 0x5b
const CLOSE = 0x5d

/**
 * The rows that differ, down to the cells that do, for a target that has the others: null leaves a cell as it is. `table`: all rows of
 * the copy.
 */
export function patchesOf(
  { fingerprint, columns }: Pick<SourceCopy, 'fingerprint' | 'columns'>,
  { spans }: Pick<Difference, 'spans'>,
  table: () => AsyncIterable<NumberedRow[]>,
): Patches {
  const { rows } = fingerprint
  const cell_bytes = fingerprint.bytes / Math.max(1, rows * columns)
  let bytes = 0
  for (let row = 0; row < rows; row += 1) {
    const span = spans.of(row)
    if (span) bytes += UNCHANGED.length * span.from + cell_bytes * (span.to - span.from)
  }
  return { bytes, rows: () => patchedRows(spans, table()) }
}

async function* patchedRows(
  spans: Difference['spans'],
  table: AsyncIterable<NumberedRow[]>,
): AsyncGenerator<NumberedRow[]> {
  let next = Number.NEGATIVE_INFINITY
  for await (const page of table) {
    const patches: NumberedRow[] = []
    for (const { row, json } of page) {
      const span = spans.of(row)
      if (!span) continue
      if (row - next <= MOST_SKIPPED)
        for (; next < row; next += 1) patches.push({ row: next, json: BLANK_ROW })
      patches.push({ row, json: patch(json, span) })
      next = row + 1
    }
    yield patches
  }
}

/** '' clears a cell. */
function patch(json: Uint8Array, { from, to }: { from: number; to: number }): Buffer {
  const place = placeOfCells(json, from, to)
  const row = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  if (!place || row.subarray(place.start, place.end).includes('null')) {
    const cells = cellsWithin(json, from, to).map((cell) => (cell === '' || cell === 'null' ? '""' : cell))
    return Buffer.from(`[${UNCHANGED.repeat(from)}${cells.join(',')}]`)
  }
  const { start, end } = place
  const head = 1 + UNCHANGED.length * from
  const patched = Buffer.allocUnsafe(head + end - start + 1)
  patched.fill(UNCHANGED, 1, head)
  patched[0] = OPEN
  row.copy(patched, head, start, end)
  patched[patched.length - 1] = CLOSE
  return patched
}
