import type { TargetContext } from '../../target-context.ts'
import { a1Range } from '../a1.ts'
import { putValues } from '../client/api.ts'
import { applyOnce } from '../client/apply-once.ts'
import type { Spreadsheet } from '../client/replies.ts'
import { PROOF_ROWS } from '../write/commit-requests.ts'
import type { HeaderRow, SeenHeaders } from '../write/header-row.ts'
import type { TargetTab } from '../write/target-tab.ts'
import { newSheetId, type StagingTab, type TargetCheckpoint } from './checkpoint.ts'
import type { RowTexts } from './row-requests.ts'
import { addStagingTab, growRequests, type TabSize } from './tab-requests.ts'

type StagingDeps = { context: TargetContext; tab: TargetTab; checkpoint: TargetCheckpoint }

/** The size of a staging tab for so many staged rows; with 0 rows it only fences a commit of cells. */
export const stagingTabSize = ({ rows, columns }: TabSize): TabSize => ({
  rows: rows + PROOF_ROWS,
  columns: Math.max(1, columns),
})

/**
 * Creates the staging tab of this attempt. Each id is stored before it is sent; only the id of a tab that certainly exists
 * becomes part of the checkpoint. `seeded`: the tab begins with the rows of the target; `headers`: header rows that are read
 * with the same request; `resumable`: whether another worker may go on with the rows that are staged in it.
 */
export async function createStagingTab(
  { context, tab, checkpoint }: StagingDeps,
  size: TabSize,
  wants: { seeded: boolean; headers: readonly HeaderRow[]; resumable: boolean },
): Promise<{ staging_tab: StagingTab; spreadsheet: Spreadsheet; headers: SeenHeaders['headers'] | null }> {
  const { run_id } = context
  const { session, view, owner } = tab
  const { spreadsheet_id, start_row } = view
  const nextId = async () => {
    const sheet_id = newSheetId()
    await context.transaction((trx) =>
      trx.insertInto('staging_tabs').values({ run_id, spreadsheet_id, sheet_id }).execute(),
    )
    return sheet_id
  }
  const area = {
    startRowIndex: start_row,
    endRowIndex: Math.min(start_row + size.rows, view.tab.grid.rows),
    startColumnIndex: 0,
    endColumnIndex: Math.min(size.columns, view.tab.grid.columns),
  }
  const created = await addStagingTab(session, spreadsheet_id, {
    owner,
    nextId,
    size,
    seed: wants.seeded ? { sheetId: view.tab.sheet_id, ...area } : null,
    headers: wants.headers,
  })
  const { id, seeded, seen, spreadsheet } = created
  view.update(spreadsheet)
  await context.transaction((trx) =>
    trx
      .updateTable('staging_tabs')
      .set({ seen: true })
      .where('spreadsheet_id', '=', spreadsheet_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
  const staging_tab = { id, rows: 0, seeded, resumable: wants.resumable && !seeded }
  await checkpoint.save({ staging_tab })
  return { staging_tab, spreadsheet, headers: seen?.headers ?? null }
}

/** Makes the staging tab large enough. Safe to repeat. */
export const growStagingTab = ({ session, view }: TargetTab, id: number, size: TabSize): Promise<void> =>
  applyOnce(session, view.spreadsheet_id, {
    onSpreadsheet: view.update,
    requests: () => growRequests(view.stagingTab(id), size),
  })

/** Writes rows of up to `columns` cells into the staging tab. Safe to repeat. */
export async function writeStagedRows(
  { session, view }: TargetTab,
  id: number,
  pieces: RowTexts[],
  columns: number,
): Promise<void> {
  const { title } = view.stagingTab(id)
  const ranges = pieces.map(({ row, texts }) => {
    const area = { startRow: row, endRow: row + texts.length, startColumn: 0, endColumn: columns }
    return { range: a1Range(title, area), rows: texts }
  })
  await putValues(session, view.spreadsheet_id, ranges)
}

/** Removes the staging tab from the checkpoint after it was deleted. */
export async function forgetStagingTab(
  { context, checkpoint, spreadsheet_id }: Omit<StagingDeps, 'tab'> & { spreadsheet_id: string },
  id: number,
): Promise<void> {
  await checkpoint.save({ staging_tab: null })
  await context.transaction((trx) =>
    trx
      .deleteFrom('staging_tabs')
      .where('spreadsheet_id', '=', spreadsheet_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
}
