import { a1Range } from '../a1.ts'
import { type BatchRequest, batchUpdateAndRead } from '../client/api.ts'
import { applyOnce } from '../client/apply-once.ts'
import { BatchReply, batchEntriesFields, batchGridFields, DuplicatesReply } from '../client/replies.ts'
import { splitGrid } from '../read/grid.ts'
import { GridRows } from '../read/grid-rows.ts'
import { BATCH_GRID_DEPTH } from '../read/row-splitter.ts'
import { changedGrid, commitRequests, type TabChange } from './commit-requests.ts'
import type { CommittedHeader } from './header-row.ts'
import type { Shifted } from './header-watch.ts'
import type { TargetTab } from './target-tab.ts'

/** Maximum cells in the response to a commit. */
export const MAX_RESPONSE_CELLS = 150_000

const NO_LIMITS = { depth: BATCH_GRID_DEPTH, rows: Number.POSITIVE_INFINITY, cells: Number.POSITIVE_INFINITY }

/** Edits by others that were detected only after a commit. */
export type Committed = { resized: boolean; shifted: Shifted | null }

export type ChangeWidth = Pick<TabChange, 'columns' | 'owned_columns'>

/** Columns that a change may touch. */
export const widthOf = ({ columns, owned_columns }: ChangeWidth): number => Math.max(columns, owned_columns)

/**
 * Commits a change: one batchUpdate, which Google applies completely or not at all. It ends with the deletion of the staging tab, so
 * it cannot be applied twice, nor after another worker has deleted that tab; without the tab nothing is sent. Throws OriginFailure
 * `tab_gone`, with nothing changed, if rows or columns were inserted or deleted since the tab was read. `resized`: inserted rows or
 * columns were detected only after the commit. `shifted`: evidence that columns may have been moved into or out of the table meanwhile.
 *
 * It is sent in one of three ways, which differ in the response: `commitAndRead` for a small change, whose response contains the
 * committed rows; `HeaderWatch.proof().commitAndReadHeader`, whose response contains the header row; and, for a tab that does not exist
 * yet, the `batchUpdate` of `applyOnce`, whose response contains the spreadsheet's tabs.
 */
export async function commitChange(
  target: TargetTab,
  change: TabChange,
  staging_id: number,
): Promise<Committed> {
  const { session, view, reader, watch, commit_signal: signal } = target
  reader.setPrefetched(null)
  const { start_row, spreadsheet_id } = view
  const { rows, columns } = changedGrid(view.tab, start_row, change)
  const proof = watch.proof(view.tab, widthOf(change), signal)
  const { header_texts, needsHeader } = proof
  const send = async (requests: BatchRequest[]) =>
    proof.recordResponse(
      await (responseIncludesRows(target, change)
        ? commitAndRead(target, requests, change, needsHeader)
        : proof.commitAndReadHeader(requests)),
    )
  await applyOnce(session, spreadsheet_id, {
    requests: (refused) => {
      if (!view.hasTab(staging_id)) return []
      view.requireGridAsRead()
      const { sheet_id, grid = { rows: 1, columns: 1 } } = view.stagingTab(staging_id)
      // Google may refuse the proofs, such as for merged cells. Then the commit is sent without them.
      return commitRequests(view.tab, start_row, change, { sheet_id, grid, guards: !refused, header_texts })
    },
    onSpreadsheet: view.update,
    signal,
    ...(view.tab.exists && { send }),
  })
  const { grid } = view.tab
  return { resized: grid.rows > rows || grid.columns > columns, shifted: await proof.shifted() }
}

/**
 * Reads the target's size and header row again, right before a commit. Throws OriginFailure `tab_gone` if columns were moved since the
 * rows were read.
 */
export async function checkHeader(
  { view, watch }: TargetTab,
  change: ChangeWidth,
  staging_id: number,
): Promise<void> {
  const refetch = () => watch.refetch(view.tab, widthOf(change), view.stagingTab(staging_id).title)
  const seen = await refetch()
  if (seen) return view.update(seen)
  await view.refresh()
  // Retried because a tab may have been renamed.
  const renamed = await refetch()
  if (renamed) view.update(renamed)
}

/** Whether the response to the commit is small enough to contain the committed rows. */
function responseIncludesRows(
  { session, view }: TargetTab,
  { content, rows, ...change }: TabChange,
): boolean {
  const { cellsPerRead = MAX_RESPONSE_CELLS } = session.settings
  const cells = rows * widthOf(change)
  return view.tab.exists && content.kind === 'cells' && cells <= Math.min(cellsPerRead, MAX_RESPONSE_CELLS)
}

/** Sends a commit whose response contains the committed rows, for the next read, and the column right of the table. */
async function commitAndRead(
  { session, view, reader, commit_signal: signal }: TargetTab,
  requests: BatchRequest[],
  change: TabChange,
  needsHeader: boolean,
): Promise<CommittedHeader> {
  const columns = widthOf(change) + 1
  // A tab that was empty has no formula that fills cells beside the table, so the entered values are all there is.
  const isEntriesOnly = !needsHeader || reader.wasBlank
  const { rows, ...after } = await batchUpdateAndRead(session, view.spreadsheet_id, requests, {
    ranges: [a1Range(view.tab.title, { startRow: view.start_row, startColumn: 0, endColumn: columns })],
    fields: isEntriesOnly ? batchEntriesFields : batchGridFields,
    signal,
    receive: async (body) => {
      const rows = new GridRows()
      const { frame, isWhole } = await splitGrid(body, rows, NO_LIMITS)
      if (!isWhole) throw new TypeError('The response to the commit is too large')
      const response: unknown = JSON.parse(frame)
      const [duplicates = null] = DuplicatesReply.parse(response)
      return { spreadsheet: BatchReply.parse(response), rows, duplicates }
    },
  })
  reader.setPrefetched({ rows, columns, grid: null })
  return { ...after, header: needsHeader ? rows.row(0) : null }
}
