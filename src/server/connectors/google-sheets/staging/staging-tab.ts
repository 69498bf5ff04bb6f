import type { ChangeMode } from '../../connector.ts'
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

/** Of the hidden tab that fences a commit. */
export const fenceSize = (mode: Exclude<ChangeMode, 'in_place'>, { rows, columns }: TabSize): TabSize => ({
  rows: (mode === 'staged' ? rows : 0) + PROOF_ROWS,
  columns: Math.max(1, columns),
})

/**
 * Creates the fence of this attempt. Each id is on record before it is sent; only one that is there for certain becomes
 * part of the checkpoint, so that whoever takes over has no use for the others. `seeded`: the rows of the target are wanted in it;
 * `header`: of which change the header row is, and what came of it.
 */
export async function openFence(
  { context, tab, spreadsheet_id, checkpoint }: Deps & { tab: TargetTab },
  size: TabSize,
  wants: Parameters<TargetTab['createFence']>[2],
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
  const fence = { id, rows: 0, seeded }
  await checkpoint.save({ fence })
  return { fence, header }
}

/** Takes note that the fence, which was there, is gone. */
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
