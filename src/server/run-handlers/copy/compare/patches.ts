import type { NumberedRow, Patches } from '../../../connectors/connector.ts'
import { BLANK_ROW } from '../../../connectors/row-json.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { cellsWithin, placeOfCells } from './row-differences.ts'
import type { RowSpans } from './row-spans.ts'

/** More rows in between are worth a range of their own. */
const MOST_SKIPPED = 20

const UNCHANGED = 'null,'
const LETTER_N = 0x6e
const LETTER_U = 0x75
const CLOSE = 0x5d
/** How a row begins whose first cells stay as they are: of fewer, the same but shorter. */
let beginning = Buffer.from(`[${UNCHANGED.repeat(64)}`)

/**
 * The rows that differ, down to the cells that do, for a target that has the others: null leaves a cell as it is. `table`: all rows of
 * the copy.
 */
export const patchesOf = (
  copy: Size,
  { spans }: { spans: RowSpans },
  table: () => AsyncIterable<NumberedRow[]>,
): Patches => ({
  bytes: patchesBytes(copy, spans),
  rows: () => patchedRows(spans, table()),
})

type Size = Pick<SourceCopy, 'fingerprint' | 'columns'>

/** About how many bytes the patches have. */
function patchesBytes({ fingerprint, columns }: Size, spans: RowSpans): number {
  const cell_bytes = fingerprint.bytes / Math.max(1, fingerprint.rows * columns)
  let bytes = 0
  for (let row = 0; row < fingerprint.rows; row += 1) {
    const span = spans.of(row)
    if (span) bytes += UNCHANGED.length * span.from + cell_bytes * (span.to - span.from)
  }
  return bytes
}

/** The patches of those rows of a table that differ. */
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
  if (!place || hasNull(json, place)) {
    const cells = cellsWithin(json, from, to).map((cell) => (cell === '' || cell === 'null' ? '""' : cell))
    return Buffer.from(`[${UNCHANGED.repeat(from)}${cells.join(',')}]`)
  }
  const { start, end } = place
  const head = 1 + UNCHANGED.length * from
  const patched = Buffer.allocUnsafe(head + end - start + 1)
  if (head > beginning.length) beginning = Buffer.from(`[${UNCHANGED.repeat(2 * from)}`)
  beginning.copy(patched, 0, 0, head)
  // By hand: mostly it is a few bytes.
  for (let at = start; at < end; at += 1) patched[head + at - start] = json[at] ?? 0
  patched[patched.length - 1] = CLOSE
  return patched
}

/** Whether one of these cells may be null. */
function hasNull(json: Uint8Array, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at += 1) if (json[at] === LETTER_N && json[at + 1] === LETTER_U) return true
  return false
}
