import type { Db } from '../src/server/platform/db.ts'

/** The image of what a task's last run overwrote, as the target read, header first; blank rows below the copy's last one are not stored. */
export async function beforeImage(db: Db, task_id: number): Promise<unknown[][]> {
  const { id, header } = await db
    .selectFrom('tasks')
    .innerJoin('snapshots', 'snapshots.id', 'tasks.before_snapshot_id')
    .select(['snapshots.id', 'snapshots.header'])
    .where('tasks.id', '=', task_id)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('snapshot_rows')
    .select(['row_no', 'cells'])
    .where('snapshot_id', '=', id)
    .orderBy('row_no')
    .execute()
  const image: unknown[][] = Array.from({ length: (rows.at(-1)?.row_no ?? 0) + 1 }, () => [])
  for (const { row_no, cells } of rows) image[row_no] = cells
  return image.with(0, header)
}
