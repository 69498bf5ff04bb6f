import type { NumberedRow, Patches } from '../../../connectors/connector.ts'
import { BLANK_ROW } from '../../../connectors/row-json.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { cellsWithin, placeOfCells } from './row-differences.ts'
import type { RowSpans } from './row-spans.ts'

/** Maximum gap of unchanged rows inside one range; a larger gap starts a new range. */
const MAX_SKIPPED_ROWS = 20

const UNCHANGED = 'null,'
const LETTER_N = 0x6e
const LETTER_U = 0x75
const CLOSE = 0x5d
/** Prefix of a row whose first cells stay unchanged. A row with fewer such cells uses the beginning of it. */
let beginning = Buffer.from(`[${UNCHANGED.repeat(64)}`)

/** Patches for a target with the equal rows: only differing rows, where null leaves a cell unchanged. `table`: all rows of the copy. */
export const patchesOf = (
  copy: Size,
  { spans }: { spans: RowSpans },
  table: () => AsyncIterable<NumberedRow[]>,
): Patches => ({
  bytes: patchesBytes(copy, spans),
  rows: () => patchedRows(spans, table()),
})

type Size = Pick<SourceCopy, 'fingerprint' | 'columns'>

/** Estimates the size of the patches in bytes. */
function patchesBytes({ fingerprint, columns }: Size, spans: RowSpans): number {
  const cell_bytes = fingerprint.bytes / Math.max(1, fingerprint.rows * columns)
  let bytes = 0
  for (let row = 0; row < fingerprint.rows; row += 1) {
    const span = spans.of(row)
    if (span) bytes += UNCHANGED.length * span.from + cell_bytes * (span.to - span.from)
  }
  return bytes
}

/** Creates the patches for the rows of a table that differ. */
async function* patchedRows(
  spans: RowSpans,
  table: AsyncIterable<NumberedRow[]>,
): AsyncGenerator<NumberedRow[]> {
  let next = Number.NEGATIVE_INFINITY
  for await (const page of table) {
    const patches: NumberedRow[] = []
    for (const { row, json } of page) {
      const span = spans.of(row)
      if (!span) continue
      if (row - next <= MAX_SKIPPED_ROWS)
        for (; next < row; next += 1) patches.push({ row: next, json: BLANK_ROW })
      patches.push({ row, json: patch(json, span) })
      next = row + 1
    }
    yield patches
  }
}

/** Patch for one row. Blank cells become '', which clears a cell. */
function patch(json: Uint8Array, { from, to }: { from: number; to: number }): Buffer {
  const place = placeOfCells(json, from, to)
  if (!place || hasNull(json, place)) {
    const cells = cellsWithin(json, from, to).map((cell) => (cell === '' || cell === 'null' ? '""' : cell))
    return Buffer.from(`[${UNCHANGED.repeat(from)}${cells.join(',')}]`)
  }
  const { start, end } = place
  const head = 1 + UNCHANGED.length * from
  const patched = Buffer.allocUnsafe(head + end - start + 1)
  if (head > beginning.length) beginning = Buffer.from(`[${UNCHANGED.repeat(2 * from)}`)
  beginning.copy(patched, 0, 0, head)
  // A loop is faster than Buffer.copy here: most patches are a few bytes.
  for (let at = start; at < end; at += 1) patched[head + at - start] = json[at] ?? 0
  patched[patched.length - 1] = CLOSE
  return patched
}

/** Whether one of the cells may be null. */
function hasNull(json: Uint8Array, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at += 1) if (json[at] === LETTER_N && json[at + 1] === LETTER_U) return true
  return false
}
