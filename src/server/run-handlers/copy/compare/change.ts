import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Change, NumberedRow, RowRange } from '../../../connectors/connector.ts'
import { rowText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { snapshotRows } from '../../../snapshots/snapshot.ts'
import { cachedPage } from '../read/cached-rows.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Difference } from './compare.ts'
import { patchesOf } from './patches.ts'

type Shape = Pick<Change, 'owned_columns' | 'within' | 'rowsAbove' | 'formats'>

/** Builds the change that makes the target equal to the copy. */
export const changeTo = (
  { db }: RunContext,
  copy: SourceCopy,
  difference: Difference,
  { isRepair, ...shape }: Shape & { isRepair: boolean },
): Change => ({
  ...shape,
  rows: copy.fingerprint.rows,
  columns: copy.columns,
  cells: difference.cells,
  bytes: copy.fingerprint.bytes,
  formulas: copy.formulas,
  patches: isRepair ? null : patchesOf(copy, difference, () => wholeTable(db, copy, 0)),
  table: (from) => wholeTable(db, copy, from),
  differing: {
    ranges: () => difference.rows.ranges(copy.fingerprint.rows),
    read: (ranges) => rowsWithin(db, copy, ranges),
  },
})

async function* rowsWithin(
  db: RunContext['db'],
  copy: SourceCopy,
  ranges: readonly RowRange[],
): AsyncGenerator<NumberedRow[]> {
  const rows = new RowSet()
  for (const { from, to } of ranges) for (let row = from; row < to; row += 1) rows.add(row)
  for await (const page of wholeTable(db, copy, 0)) yield page.filter(({ row }) => rows.has(row))
}

/** Streams the rows of a copy from row `from` on. */
export async function* wholeTable(
  db: RunContext['db'],
  copy: SourceCopy,
  from: number,
): AsyncGenerator<NumberedRow[]> {
  const { rows } = copy.fingerprint
  if (from === 0) yield [{ row: 0, json: Buffer.from(rowText(copy.header)) }]
  let row = Math.max(1, from)
  for (
    let page = cachedPage(copy.cachedRows, row);
    page.length > 0;
    page = cachedPage(copy.cachedRows, row)
  ) {
    row += page.length
    yield page
    // Yield to the event loop between cached pages, which need no I/O.
    await nextTurn()
  }
  for await (const page of snapshotRows(db, copy.snapshot_id, row, rows)) {
    const first = row
    row += page.length
    yield page.map((cells, index) => ({ row: first + index, json: Buffer.from(rowText(cells)) }))
  }
}
