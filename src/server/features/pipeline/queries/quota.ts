import { sql } from 'kysely'
import type { QuotaUse } from '../../../../contract/pipeline/calls.ts'
import type { Db } from '../../../platform/db.ts'

/** The Google project that has the quota, and the requests per window for one account and for the whole project. */
export type Quota = { project: string; limits: { account: number; project: number; window_ms: number } }

type Row = { kind: 'read' | 'write'; used: number; account: string; account_used: number }

/** Counts reads and writes within the quota window. */
export async function readQuota(db: Db, { project, limits }: Quota): Promise<QuotaUse[]> {
  // Index: quota_log_idx.
  const { rows } = await sql<Row>`
    select distinct on (kind) kind, account, account_used, (sum(account_used) over (partition by kind))::int as used
    from (
      select kind, account, count(*)::int as account_used from quota_log
      where project = ${project} and kind in ('read', 'write')
        and started_at > clock_timestamp() - ${limits.window_ms} * interval '1 millisecond'
      group by kind, account
    ) counted
    order by kind, account_used desc, account`.execute(db)
  return (['read', 'write'] as const).map((kind) => {
    const row = rows.find((one) => one.kind === kind)
    const account = row ? { email: row.account, used: row.account_used, limit: limits.account } : null
    return { kind, used: row?.used ?? 0, limit: limits.project, account }
  })
}
