import type { GrowingPage, GrowingTable, NumberedRow } from '../connector.ts'
import { COMMIT_BYTES, leastChangeBytes } from './cell-requests.ts'
import { fenceSize, openFence } from './fence.ts'
import { rowRequests } from './row-requests.ts'
import { type StageDeps, StagingAhead } from './stage-ahead.ts'
import { stageRows } from './stage-rows.ts'

/**
 * Stages a table that is still being read, for a target that is known to hold nothing. `commitBytes`: bytes of changed cells that one
 * commit carries at most; undefined: as many as is usual.
 */
export const stageTableAhead = (
  deps: StageDeps & { commitBytes: number | undefined },
  table: GrowingTable,
): StagingAhead => new StagingAhead(table, (ahead) => stage(ahead, deps, table))

async function stage(
  ahead: StagingAhead,
  deps: StageDeps & { commitBytes: number | undefined },
  table: GrowingTable,
): Promise<void> {
  const { tab, requestSize, commitBytes = COMMIT_BYTES } = deps
  const { columns, rows } = table.extent
  const pages = await onceBeyond(commitBytes, table.pages())
  if (!pages || ahead.isEnded) return
  // Of a tab that came with its rows the others are not known.
  if (tab.isRead) await tab.refresh()
  const size = fenceSize('staged', { rows, columns })
  const hasRoom = tab.hasRoom(rows, columns, { id: null, cells: size.rows * size.columns })
  if (!hasRoom || ahead.isEnded) return
  const { fence } = await openFence(deps, size, { seeded: false, header: null })
  ahead.hasFence = true
  // The table is larger than its fence.
  let isCut = false
  const withinFence = async function* (): AsyncGenerator<NumberedRow[]> {
    for await (const page of pages) {
      isCut = page.columns > columns || (page.rows.at(-1)?.row ?? 0) >= rows
      if (isCut) return
      yield page.rows
    }
  }
  // What is cut off before the table's end would be a request more.
  const requests = rowRequests(withinFence(), requestSize, () => table.isWhole && !isCut)
  await stageRows(deps, fence, ahead.untilEnded(requests), { columns: size.columns, through: ahead.through })
}

/** The pages, once so many of them are there that one commit could not carry their cells; null: they never are. */
async function onceBeyond(
  commitBytes: number,
  pages: AsyncIterable<GrowingPage>,
): Promise<AsyncIterable<GrowingPage> | null> {
  const iterator = pages[Symbol.asyncIterator]()
  const first: GrowingPage[] = []
  for (let bytes = 0; bytes <= commitBytes; ) {
    const { done, value } = await iterator.next()
    if (done) return null
    first.push(value)
    bytes += leastChangeBytes(value)
  }
  return (async function* () {
    yield* first
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}
