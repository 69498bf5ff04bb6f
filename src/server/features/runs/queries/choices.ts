import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { allRuns } from '../../../../contract/all-runs/calls.ts'
import type { Db } from '../../../platform/db.ts'

type Choices = z.infer<typeof allRuns.choices.reply>

/** Reads the task types, and the users who have started runs. */
export async function readChoices(db: Db): Promise<Choices> {
  const types = await db
    .selectFrom('task_types')
    .select(['id', 'name', 'category'])
    .orderBy('category')
    .orderBy('sort_order')
    .orderBy('name')
    .execute()
  // Index: runs_user_idx, one probe per user.
  const { rows: users } = await sql<Choices['users'][number]>`
    select u.id, u.email from users u where exists (select from runs r where r.triggered_by = u.id) order by u.email`.execute(
    db,
  )
  return { types, users }
}
