import { z } from 'zod'
import { ColumnChange, type sourceColumns } from '../../../../contract/remembered-columns/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { seenColumns } from '../../../snapshots/column-changes.ts'
import { sampleOf } from '../../../snapshots/column-sample.ts'
import { readSnapshot } from '../../../snapshots/snapshot.ts'
import { taskName } from '../../../tasks/task-identity.ts'

type Columns = z.input<typeof sourceColumns.columns.reply>

/** The columns of a source task, and what is known of them. Throws NamedError `source_task_not_found`. */
export async function readSourceColumns(db: Db, id: number): Promise<Columns> {
  await taskName(db, 'source', id)
  const { snapshot_id, column_changes } = await db
    .selectFrom('tasks')
    .leftJoin('snapshots as w', 'w.id', 'waiting_snapshot_id')
    .select(['snapshot_id', 'w.column_changes'])
    .where('tasks.id', '=', id)
    .executeTakeFirstOrThrow()
  const current = snapshot_id === null ? null : await readSnapshot(db, snapshot_id)
  const names = await db
    .selectFrom('source_column_names')
    .select(['column_name as column', 'read_as', 'set_by', 'set_at'])
    .where('task_id', '=', id)
    .orderBy('read_as')
    .orderBy('set_at')
    .execute()
  return {
    columns: current ? seenColumns(await sampleOf(db, current)) : [],
    names: names.map(({ set_at, ...name }) => ({ ...name, set_at: set_at.toISOString() })),
    changes: z.array(ColumnChange).parse(column_changes ?? []),
  }
}
