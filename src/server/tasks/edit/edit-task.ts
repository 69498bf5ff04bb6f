import { sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import { touched, unchangedSince } from '../../platform/edit-conflicts.ts'
import { NamedError } from '../../platform/errors.ts'
import type { TaskCategory } from '../../platform/schema.ts'
import type { NewTask } from './add-tasks.ts'
import { lockTask } from './lock-task.ts'
import { checkNewOwner } from './ownership.ts'

/** Omitted fields keep their value. */
type Edit = { [Field in Exclude<keyof NewTask, 'sort_order'>]?: NewTask[Field] | undefined } & {
  /** Version that the editor read; undefined skips the check. */
  updated_at: string | undefined
  /** The update keeps what runs depend on, so that a live run is no obstacle. */
  is_ownership_only: boolean
}

/**
 * Updates the shared fields of a task and keeps it locked. Throws NamedError `…_task_not_found`, `live_edit` while a run is live,
 * `owner_gone`, and `stale_update` if the task changed since it was read.
 */
export async function editTask(
  trx: Trx,
  category: TaskCategory,
  id: number,
  { updated_at, task_type_id, is_ownership_only, ...fields }: Edit,
): Promise<void> {
  const { live } = await lockTask(trx, category, id)
  if (live && !is_ownership_only) throw new NamedError('live_edit')
  await checkNewOwner(trx, id, fields.owner_id)
  const edited = await trx
    .updateTable('tasks')
    .set({
      ...fields,
      ...(task_type_id === undefined ? {} : { task_type_id, sort_order: placeIn(category, task_type_id) }),
      updated_at: touched,
    })
    .where('id', '=', id)
    .where(unchangedSince(updated_at))
    .returning('id')
    .executeTakeFirst()
  if (edited === undefined) throw new NamedError('stale_update')
}

// Appends the task if its type changes; otherwise the order is kept.
const placeIn = (category: TaskCategory, type_id: number | null) => sql<number>`
  case when task_type_id is not distinct from ${type_id} then sort_order else (
    select coalesce(max(other.sort_order), 0) + 1 from tasks other
    where other.category = ${category}
      and ${type_id === null ? sql`other.task_type_id is null` : sql`other.task_type_id = ${type_id}`}
  ) end`
