import type { TargetContext } from '../../target-context.ts'
import type { TargetTab } from '../write/target-tab.ts'
import type { StagingTab, TargetCheckpoint } from './checkpoint.ts'
import type { RequestSize, RowTexts } from './row-requests.ts'
import { writeStagedRows } from './staging-tab.ts'

export type StageRowsDeps = {
  tab: TargetTab
  spreadsheet_id: string
  context: TargetContext
  checkpoint: TargetCheckpoint
  /** Of requests that carry rows. */
  requestSize: RequestSize
}

/** Tells how many of a table's rows have come to be in the fence; both count the header. */
export const reportStagingProgress =
  (context: TargetContext, rows: number) =>
  (done: number): Promise<void> =>
    context.progress({ rows_done: Math.max(0, done - 1), rows_total: rows - 1, phase: 'Writing' })

/**
 * Sends rows of the table into the fence, from the first on that is not in it yet. `through`: called with how many rows, the header
 * among them, have come to be there.
 */
export async function stageRows(
  { tab, checkpoint }: Pick<StageRowsDeps, 'tab' | 'checkpoint'>,
  staging_tab: StagingTab,
  requests: AsyncIterable<RowTexts[]>,
  { columns, through }: { columns: number; through: (rows: number) => Promise<void> },
): Promise<void> {
  await inPairs(requests, {
    send: (pieces) => writeStagedRows(tab, staging_tab.id, pieces, columns),
    sent: async (pieces) => {
      const rows = endOf(pieces)
      await checkpoint.save({ staging_tab: { ...staging_tab, rows } })
      await through(rows)
    },
  })
}

/** Turns the target's rows in the fence into those of the table; `requests`: of the patches. */
export async function stagePatches(
  { tab }: Pick<StageRowsDeps, 'tab'>,
  staging_tab: StagingTab,
  requests: AsyncIterable<RowTexts[]>,
  { columns, through }: { columns: number; through: (rows: number) => Promise<void> },
): Promise<void> {
  await inPairs(requests, {
    send: (pieces) => writeStagedRows(tab, staging_tab.id, pieces, columns),
    sent: (pieces) => through(endOf(pieces)),
  })
}

/** The row behind the last one of a request. */
const endOf = (pieces: RowTexts[]): number =>
  pieces.reduce((end, { row, texts }) => Math.max(end, row + texts.length), 0)

/**
 * Sends requests that have nothing to do with each other, each while the one before is on its way. `sent` is called in their order,
 * with those that are through and all before them. When one fails, none is on its way any more.
 */
async function inPairs<T>(
  requests: AsyncIterable<T>,
  { send, sent }: { send: (request: T) => Promise<void>; sent: (request: T) => Promise<void> },
): Promise<void> {
  let before = Promise.resolve()
  try {
    for await (const request of requests) {
      const through = send(request)
      const last = before
      before = through.then(async () => {
        await last
        await sent(request)
      })
      // Awaited with the next one; until then it is not unhandled.
      before.catch(() => {})
      await last
    }
    await before
  } finally {
    await before.catch(() => {})
  }
}
