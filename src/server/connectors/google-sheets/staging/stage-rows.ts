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
  /** Size of requests that carry rows. */
  requestSize: RequestSize
}

/** Returns a callback that reports the number of staged rows; both counts include the header. */
export const reportStagingProgress =
  (context: TargetContext, rows: number) =>
  (done: number): Promise<void> =>
    context.progress({ rows_done: Math.max(0, done - 1), rows_total: rows - 1, phase: 'Writing' })

/**
 * Writes the table's rows into the staging tab. `through`: called with the number of staged rows, including the
 * header.
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

/** Writes patches over the target's rows in the staging tab. */
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

/** End of the last row of a request. */
const endOf = (pieces: RowTexts[]): number =>
  pieces.reduce((end, { row, texts }) => Math.max(end, row + texts.length), 0)

/**
 * Sends independent requests, two at a time. `sent` is called in order, when a request and all before it are
 * complete. After a failure none is in flight.
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
      // Awaited with the next request; until then it must not count as unhandled.
      before.catch(() => {})
      await last
    }
    await before
  } finally {
    await before.catch(() => {})
  }
}
