import type { Change, NumberedRow } from '../../connectors/connector.ts'
import { rowText } from '../../connectors/row-json.ts'
import type { RunContext } from '../../engine/types.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import type { Difference } from './comparison.ts'
import { keptPage } from './kept-page.ts'
import { patchesOf } from './patches.ts'
import type { SourceCopy } from './source-copy.ts'

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

/** The rows of a copy from row `from` on. */
export async function* wholeTable(
  db: RunContext['db'],
  copy: SourceCopy,
  from: number,
): AsyncGenerator<NumberedRow[]> {
  const { rows } = copy.fingerprint
  if (from === 0) yield [{ row: 0, json: Buffer.from(rowText(copy.header)) }]
  let row = Math.max(1, from)
  for (let page = keptPage(copy.kept, row); page.length > 0; page = keptPage(copy.kept, row)) {
    row += page.length
    yield page
  }
  for await (const page of snapshotRows(db, copy.snapshot_id, row, rows)) {
    const first = row
    row += page.length
    yield page.map((cells, index) => ({ row: first + index, json: Buffer.from(rowText(cells)) }))
  }
}

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
