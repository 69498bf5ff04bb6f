import { sql } from 'kysely'
import { z } from 'zod'
import { ExceededLimit } from '../../../../contract/run-limits/calls.ts'
import type { BeyondLimits } from '../../../../contract/sync-tasks/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { contentOfPlan } from '../../../tasks/approvals/pending-approvals.ts'

type Row = {
  plan: string
  run_id: number
  limits: unknown
  expires_at: Date
  rejected_by: string | null
}

/** The limits that the last run of a task would have exceeded, while its plan can be applied; null: none. */
export async function readBeyondLimits(db: Db, task_id: number): Promise<BeyondLimits | null> {
  // Indexes: plans_run_idx, approval_decisions_task_idx.
  const { rows } = await sql<Row>`
    select p.hash as plan, p.run_id, p.limits, p.expires_at, d.rejected_by
    from tasks t join runs r on r.id = t.last_run_id join plans p on p.run_id = r.id
    join snapshots n on n.id = p.wanted_snapshot_id
    left join lateral (
      select decided_by as rejected_by from approval_decisions d
      where d.task_id = t.id and d.kind = 'run_beyond_limit' and d.content = ${contentOfPlan} and not d.is_approved
      order by d.id desc limit 1
    ) d on true
    where t.id = ${task_id} and r.state = 'failed' and p.limits is not null
      and p.expires_at > now() and p.outdated_at is null`.execute(db)
  const [beyond] = rows
  if (!beyond) return null
  const { limits, expires_at, ...plan } = beyond
  const exceeded = z.array(ExceededLimit).parse(limits)
  return {
    ...plan,
    limits: exceeded.map(({ text }) => text),
    cells_beside: exceeded.some(({ kind }) => kind === 'cells_beside'),
    expires_at: expires_at.toISOString(),
  }
}
