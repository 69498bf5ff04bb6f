import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NumberedRow } from '../../../connectors/connector.ts'
import { rowText } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { snapshotRows } from '../../../snapshots/snapshot.ts'
import { cachedPage } from '../read/cached-rows.ts'
import type { SourceCopy } from '../read/source-copy.ts'

/** Streams the rows of a copy from row `from` on. */
export async function* wholeTable(
  db: RunContext['db'],
  copy: SourceCopy,
  from: number,
): AsyncGenerator<NumberedRow[]> {
  const { rows } = copy.fingerprint
  if (from === 0) yield [{ row: 0, json: Buffer.from(rowText(copy.header)) }]
  let row = Math.max(1, from)
  for (let page = cachedPage(copy.kept, row); page.length > 0; page = cachedPage(copy.kept, row)) {
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
