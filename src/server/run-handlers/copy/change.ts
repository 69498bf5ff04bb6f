import type { Change, NumberedText } from '../../connectors/connector.ts'
import { rowText } from '../../connectors/row-json.ts'
import type { RunContext } from '../../engine/types.ts'
import { snapshotRows } from '../../snapshots/snapshot.ts'
import type { Difference } from './comparison.ts'
import type { SourceCopy } from './source-copy.ts'

type Shape = Pick<Change, 'owned_columns' | 'former' | 'formats'>

/** What turns the target into the copy. */
export const changeTo = (
  { db }: RunContext,
  copy: SourceCopy,
  { cells, rows }: Difference,
  shape: Shape,
): Change => ({
  ...shape,
  rows: copy.fingerprint.rows,
  columns: copy.columns,
  cells,
  table: (from) => rowTexts(db, copy, from),
  differing: { rows: rows.size, read: () => differingRows(db, copy, rows) },
})

async function* rowTexts(db: RunContext['db'], copy: SourceCopy, from: number): AsyncGenerator<NumberedText> {
  const { rows } = copy.fingerprint
  if (from === 0) yield { row: 0, text: rowText(copy.header) }
  let row = Math.max(1, from)
  for (; row < rows; row += 1) {
    const text = copy.texts.get(row)
    if (text === undefined) break
    yield { row, text }
  }
  for await (const page of snapshotRows(db, copy.snapshot_id, row, rows)) {
    for (const cells of page) {
      yield { row, text: rowText(cells) }
      row += 1
    }
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
