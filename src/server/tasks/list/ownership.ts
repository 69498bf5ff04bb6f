import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

/** Columns of task `t` for `listedOwnership`, with the join of its owner. */
export const ownershipOfTask = sql`
  case when owner.id is not null then
    jsonb_build_object('id', owner.id, 'name', coalesce(nullif(owner.name, ''), owner.email)) end as owner,
  t.tags, t.notes <> '' as has_notes`
export const ownerOfTask = sql`left join users owner on owner.id = t.owner_id`

/** Reads the notes of a task; blank if it has none. */
export async function readNotes(db: Db, task_id: number): Promise<string> {
  const task = await db.selectFrom('tasks').select('notes').where('id', '=', task_id).executeTakeFirst()
  return task?.notes ?? ''
}
