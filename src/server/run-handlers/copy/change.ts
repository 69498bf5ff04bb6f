import type { Change } from '../../connectors/connector.ts'
import type { RunContext } from '../../engine/types.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import type { Difference } from './comparison.ts'
import { patchesOf } from './patches.ts'
import type { SourceCopy } from './source-copy.ts'
import { wholeTable } from './whole-table.ts'

type Shape = Pick<Change, 'owned_columns' | 'former' | 'formats'>

/** What turns the target into the copy. */
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
  patches: isRepair ? null : patchesOf(copy, difference, () => wholeTable(db, copy, 0)),
  table: (from) => wholeTable(db, copy, from),
  differing: { rows: difference.rows.size, read: () => differingRows(db, copy, difference.rows) },
})

async function* differingRows(
  db: RunContext['db'],
  copy: SourceCopy,
  rows: Difference['rows'],
): ReturnType<Change['differing']['read']> {
  for (const { from, to } of rows.ranges(copy.fingerprint.rows)) {
    if (from === 0) yield { row: 0, cells: copy.header }
    let row = Math.max(1, from)
    for await (const page of snapshotRows(db, copy.snapshot_id, row, to)) {
      for (const cells of page) {
        yield { row, cells }
        row += 1
      }
    }
  }
}
