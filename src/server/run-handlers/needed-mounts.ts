import type { RunHandler } from '../engine/types.ts'

/** A spreadsheet that a run reads or writes. */
export type UsedSpreadsheet = { provider: string; spreadsheet_id: string }

/** The folder that a worker must have for a spreadsheet; null: none. */
export type MountOf = (used: UsedSpreadsheet) => string | null

/** A handler whose runs go only to workers that have the folders of their spreadsheets. `usedBy` lists those of a definition. */
export const withMounts = (
  handler: RunHandler,
  usedBy: (definition: object) => UsedSpreadsheet[],
  mountOf: MountOf,
): RunHandler => ({
  ...handler,
  async snapshotDefinition(trx, task_ids) {
    const definitions = await handler.snapshotDefinition(trx, task_ids)
    return new Map(
      [...definitions].map(([task_id, task]) => {
        const mounts = usedBy(task.definition).flatMap((used) => mountOf(used) ?? [])
        return [task_id, { ...task, mounts: [...new Set(mounts)] }]
      }),
    )
  },
})
