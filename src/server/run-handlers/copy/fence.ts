import { randomInt } from 'node:crypto'
import type { Target } from '../../connectors/connector.ts'
import type { RunContext } from '../../engine/types.ts'
import type { Checkpoint } from './checkpoint.ts'

/** The hidden tab by which all commits of an attempt are fenced, whatever their mode. */
export type Fence = NonNullable<Checkpoint['fence']>

type Deps = {
  context: RunContext
  target: Target
  target_ss_id: string
  /** Changes the checkpoint and stores it. */
  save: (change: Partial<Checkpoint>) => Promise<void>
}

/** An id for a tab, by which it is known before it exists. Positive, as Google wants it. */
export const newSheetId = () => randomInt(1, 2 ** 31 - 1)

/**
 * Creates the fence of this attempt. Each id is on record before it is sent; only one that is there for certain becomes
 * part of the checkpoint, so that whoever takes over has no use for the others.
 */
export async function openFence(
  { context, target, target_ss_id: spreadsheet_id, save }: Deps,
  size: { rows: number; columns: number },
): Promise<Fence> {
  const { id: run_id } = context.run
  const nextId = async () => {
    const sheet_id = newSheetId()
    await context.transaction((trx) =>
      trx.insertInto('staging_tabs').values({ run_id, spreadsheet_id, sheet_id }).execute(),
    )
    return sheet_id
  }
  const id = await target.createFence(nextId, size)
  await context.transaction((trx) =>
    trx
      .updateTable('staging_tabs')
      .set({ seen: true })
      .where('spreadsheet_id', '=', spreadsheet_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
  const fence = { id, rows: 0 }
  await save({ fence })
  return fence
}

/** Takes note that the fence, which was there, is gone. */
export async function forgetFence(
  { context, target_ss_id, save }: Pick<Deps, 'context' | 'target_ss_id' | 'save'>,
  id: number,
): Promise<void> {
  await save({ fence: null })
  await context.transaction((trx) =>
    trx
      .deleteFrom('staging_tabs')
      .where('spreadsheet_id', '=', target_ss_id)
      .where('sheet_id', '=', id)
      .execute(),
  )
}
