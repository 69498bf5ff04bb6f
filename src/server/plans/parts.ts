import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'

// A split task writes several tabs. Its plan has a part for each of them; every other plan is its own only part.

/** Whether the plan `part` is a part of the plan `p`. Indexes: plans_pkey, plans_parts_idx. */
const isPart = sql<boolean>`((part.id = p.id and not part.is_split) or part.whole_id = p.id)`

/** Whether the rows of the plan `p` are stored. */
export const hasRows = sql<boolean>`not exists (
  select from plans part where ${isPart} and (part.wanted_snapshot_id is null or part.former_snapshot_id is null)
)`

/** Whether the plan `p` is no part of another one. */
export const isWhole = sql<boolean>`p.whole_id is null`

/** The tab of a plan with its rows. */
export type PlanPart = {
  id: number
  /** Null: the only tab of its task. */
  split_value: string | null
  target: unknown
  wanted_snapshot_id: number | null
  former_snapshot_id: number | null
  target_hash: string
  summary: unknown
  applied_at: Date | null
  restores: unknown
}

/**
 * The parts of a plan, in the order of their tabs. A worker that took over may have planned a tab anew: the newest part of each value
 * counts, or the one that was written.
 */
export async function readParts(db: Db, plan_id: number): Promise<PlanPart[]> {
  const { rows } = await sql<PlanPart>`
    select * from (
      select distinct on (part.split_value) part.id, part.split_value, part.target, part.wanted_snapshot_id, part.former_snapshot_id,
        part.target_hash, part.summary, part.applied_at, part.restores
      from plans p join plans part on ${isPart} where p.id = ${plan_id}
      order by part.split_value, part.applied_at is null, part.id desc
    ) parts order by id`.execute(db)
  return rows
}
