import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Db } from '../../platform/db.ts'

type Visit = { started_at: string; previous_ended_at: string | null }

/** Records activity of a user: extends the current visit, or starts one after `limits.visit_pause_minutes` without activity. */
export async function recordVisit(db: Db, user_id: number): Promise<Visit> {
  const is_over = sql`visits.last_active_at < now() - ${limits.visit_pause_minutes} * interval '1 minute'`
  const { rows } = await sql<{ started_at: Date; previous_ended_at: Date | null }>`
    insert into visits (user_id) values (${user_id})
    on conflict (user_id) do update set
      started_at = case when ${is_over} then now() else visits.started_at end,
      previous_ended_at = case when ${is_over} then visits.last_active_at else visits.previous_ended_at end,
      last_active_at = greatest(visits.last_active_at, now())
    returning started_at, previous_ended_at`.execute(db)
  const [visit] = rows
  if (visit === undefined) throw new Error('An upsert returned no row.')
  return {
    started_at: visit.started_at.toISOString(),
    previous_ended_at: visit.previous_ended_at?.toISOString() ?? null,
  }
}
