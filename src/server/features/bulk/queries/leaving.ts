import { sql } from 'kysely'
import type { LeavingTasks } from '../../../../contract/bulk/leaving.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Db } from '../../../platform/db.ts'

/** Tasks that bulk calls will delete, by call. Indexes: bulk_calls_due_idx, bulk_changes_pkey. */
export async function readLeaving(db: Db, actor: Actor): Promise<LeavingTasks[]> {
  const { rows } = await sql<LeavingTasks>`
    select b.id as bulk_id, array_agg(c.task_id order by c.task_id) as task_ids, b.actor ->> 'email' as by,
      b.user_id = ${actor.id} as is_own
    from bulk_calls b join bulk_changes c on c.bulk_id = b.id
    where b.end_state is null and b.due_at is not null
    group by b.id order by b.id`.execute(db)
  return rows
}
