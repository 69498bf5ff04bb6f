import { sql } from 'kysely'
import type { QuotaTime } from '../../../../contract/bulk/calls.ts'
import type { Db } from '../../../platform/db.ts'

/** Google's limits per window for one account and for the whole project. */
export type Quota = { limits: { account: number; project: number; window_ms: number } }

type Row = {
  startable: number
  guessed: number
  reads: number
  writes: number
  account_reads: number
  account_writes: number
}

/**
 * Estimates how much quota a run of these tasks uses: for each task that would start now, the requests of its last successful run.
 * A task without a receipt counts as the average of its category, or of all tasks if the category has no receipts.
 */
export async function readQuotaTime(db: Db, { limits }: Quota, ids: readonly number[]): Promise<QuotaTime> {
  // Primary key lookups of tasks and their last runs.
  const { rows } = await sql<Row>`
    with measured as materialized (
      select t.id, t.category, t.account_user_id,
        t.id = any (${[...ids]}::int[]) and t.is_active
          and (l.state is null or l.state not in ('queued', 'running', 'stopping')) as startable,
        t.category = 'sync' or (s.source_type = 'sheet' and s.provider <> 'files') as uses_google,
        coalesce((r.receipt ->> 'reads')::float8, (r.receipt ->> 'requests')::float8) as reads,
        coalesce((r.receipt ->> 'writes')::float8, case when r.receipt is not null then 0 end) as writes
      from tasks t
      left join source_tasks s on s.task_id = t.id
      left join runs l on l.id = t.last_run_id
      left join runs r on r.id = t.last_success_run_id
      where t.category in ('sync', 'source')
    ), averages as (
      select category, avg(reads) as reads, avg(writes) as writes from measured
      where uses_google and reads is not null group by category
    ), wanted as (
      select m.account_user_id, m.uses_google, m.reads is null as is_guessed,
        case when m.uses_google then coalesce(m.reads, a.reads, 0) else 0 end as reads,
        case when m.uses_google then coalesce(m.writes, a.writes, 0) else 0 end as writes
      from measured m left join averages a on a.category = m.category where m.startable
    ), accounts as (
      select account_user_id, count(*) as tasks, sum(reads) as reads, sum(writes) as writes,
        count(*) filter (where uses_google and is_guessed) as guessed
      from wanted group by account_user_id
    )
    select coalesce(sum(tasks), 0)::int as startable, coalesce(sum(guessed), 0)::int as guessed,
      coalesce(sum(reads), 0)::float8 as reads, coalesce(sum(writes), 0)::float8 as writes,
      coalesce(max(reads), 0)::float8 as account_reads, coalesce(max(writes), 0)::float8 as account_writes
    from accounts`.execute(db)
  const row = rows[0]
  if (row === undefined) throw new Error('A sum answers with one row')
  const { startable, guessed, reads, writes } = row
  const windows = Math.max(
    reads / limits.project,
    writes / limits.project,
    row.account_reads / limits.account,
    row.account_writes / limits.account,
  )
  return {
    startable,
    guessed,
    reads: Math.round(reads),
    writes: Math.round(writes),
    seconds: Math.ceil((windows * limits.window_ms) / 1000),
  }
}
