import type { Change, NumberedRow } from '../../../connectors/connector.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import type { Difference } from './compare.ts'
import { patchesOf } from './patches.ts'
import { wholeTable } from './whole-table.ts'

type Shape = Pick<Change, 'owned_columns' | 'former' | 'formats'>

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
  patches: isRepair ? null : patchesOf(copy, difference, () => wholeTable(db, copy, 0)),
  table: (from) => wholeTable(db, copy, from),
  differing: {
    ranges: () => difference.rows.ranges(copy.fingerprint.rows),
    read: () => differingRows(db, copy, difference.rows),
  },
})

async function* differingRows(
  db: RunContext['db'],
  copy: SourceCopy,
  rows: Difference['rows'],
): AsyncGenerator<NumberedRow[]> {
  for await (const page of wholeTable(db, copy, 0)) yield page.filter(({ row }) => rows.has(row))
}
