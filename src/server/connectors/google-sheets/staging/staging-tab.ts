import type { TargetContext } from '../../target-context.ts'
import { PROOF_ROWS } from '../write/commit-requests.ts'
import type { SeenHeader } from '../write/header-row.ts'
import type { TargetTab } from '../write/target-tab.ts'
import { type Fence, newSheetId, type TargetCheckpoint } from './checkpoint.ts'
import type { TabSize } from './tab-requests.ts'

type Deps = {
  context: TargetContext
  spreadsheet_id: string
  checkpoint: TargetCheckpoint
}

/** The size of a staging tab for so many staged rows; with 0 rows it only fences a commit of cells. */
export const fenceSize = ({ rows, columns }: TabSize): TabSize => ({
  rows: rows + PROOF_ROWS,
  columns: Math.max(1, columns),
})

/**
 * Creates the staging tab of this attempt. Each id is stored before it is sent; only the id of a tab that certainly exists
 * becomes part of the checkpoint. `seeded`: the tab begins with the rows of the target; `header`: the change whose header row is to be
 * read with the same request; `resumable`: whether another worker may go on with the rows that are staged in it.
 */
export async function openFence(
  { context, tab, spreadsheet_id, checkpoint }: Deps & { tab: TargetTab },
  size: TabSize,
  wants: Parameters<TargetTab['createFence']>[2] & { resumable: boolean },
): Promise<{ fence: Fence; header: SeenHeader | null }> {
  const { run_id } = context
  const nextId = async () => {
    const sheet_id = newSheetId()
    await context.transaction((trx) =>
      trx.insertInto('staging_tabs').values({ run_id, spreadsheet_id, sheet_id }).execute(),
    )
    return sheet_id
  }
  const { id, seeded, header } = await tab.createFence(nextId, size, wants)
  await context.transaction((trx) =>
    trx
      .updateTable('staging_tabs')
      .set({ seen: true })
      .where('spreadsheet_id', '=', spreadsheet_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
  const fence = { id, rows: 0, seeded, resumable: wants.resumable && !seeded }
  await checkpoint.save({ fence })
  return { fence, header }
}

/** Removes the staging tab from the checkpoint after it was deleted. */
export async function forgetFence({ context, spreadsheet_id, checkpoint }: Deps, id: number): Promise<void> {
  await checkpoint.save({ fence: null })
  await context.transaction((trx) =>
    trx
      .deleteFrom('staging_tabs')
      .where('spreadsheet_id', '=', spreadsheet_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
}
