import { sql } from 'kysely'
import type { QuotaBacklog } from '../../contract/runs/waits.ts'
import type { Db } from '../platform/db.ts'
import type { TaskCategory } from '../platform/schema.ts'

type Row = Omit<QuotaBacklog, 'service'> & { service: string | null }

/**
 * Runs of a category that wait for a service's quota, with the runs queued behind them, and the number of requests
 * ahead of them. Null: no run waits for a quota.
 */
export async function readQuotaBacklog(db: Db, category: TaskCategory): Promise<QuotaBacklog | null> {
  // Uses runs_live_idx.
  const { rows } = await sql<Row>`
    with live as materialized (
      select coalesce(task_type_id, 0) as type_id, state, case when state <> 'queued' then wait end as wait
      from runs where state in ('queued', 'running', 'stopping') and category = ${category}
    ), held as materialized (
      select type_id, wait from live where wait ->> 'for' = 'quota'
    )
    select (select min(wait ->> 'service') from held) as service,
      (select count(*)::int from held)
        + (select count(*)::int from live where state = 'queued' and type_id = any (array(select type_id from held))) as runs,
      (select coalesce(sum(coalesce((wait ->> 'requests')::int, 1)), 0)::int from held) as requests`.execute(
    db,
  )
  const [row] = rows
  return row === undefined || row.service === null ? null : { ...row, service: row.service }
}
