import { sql } from 'kysely'
import type { allRuns } from '../../../../contract/all-runs/calls.ts'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { rangeOf } from './timeline.ts'

/** The Google project that has the quota, and the requests per window for one account and for the whole project. */
export type Quota = { project: string; limits: { account: number; project: number } }

type Buckets = { at: Date; reads: number; writes: number }[]
type Accounts = { account: string; requests: number; busiest: number }[]

/** Requests per minute in a range of time: the busiest minute of each bucket, and the totals of each account. */
export async function readQuotaMinutes(
  db: Db,
  { project, limits: { account, project: all } }: Quota,
  { bucket_minutes, ...query }: QueryOf<typeof allRuns.quota>,
  now: Date,
) {
  const { from, to } = rangeOf(query, now)
  // A request is in one of the two tables. Indexes: the primary key of quota_minutes, quota_log_idx.
  const counted = sql`
    counted as (
      select minute, kind, account, requests from quota_minutes
      where project = ${project} and minute >= date_trunc('minute', ${from}::timestamptz) and minute < ${to}
      union all
      select date_trunc('minute', started_at), kind, account, count(*)::int from quota_log
      where project = ${project} and kind in ('read', 'write')
        and started_at >= date_trunc('minute', ${from}::timestamptz) and started_at < ${to}
      group by 1, 2, 3
    )`
  const [{ rows: buckets }, { rows: accounts }] = await Promise.all([
    sql<Buckets[number]>`
      with ${counted}, totals as (
        select minute, coalesce(sum(requests) filter (where kind = 'read'), 0)::int as reads,
          coalesce(sum(requests) filter (where kind = 'write'), 0)::int as writes
        from counted group by minute
      )
      select date_bin(make_interval(mins => ${bucket_minutes}), minute, date_trunc('minute', ${from}::timestamptz)) as at,
        max(reads) as reads, max(writes) as writes
      from totals group by 1 order by 1`.execute(db),
    sql<Accounts[number]>`
      with ${counted}, minutes as (
        select account, sum(requests)::int as requests from counted group by account, kind, minute
      )
      select account, sum(requests)::int as requests, max(requests) as busiest from minutes
      group by account order by 2 desc, 1 limit 100`.execute(db),
  ])
  return {
    limit: { account, project: all },
    buckets: buckets.map(({ at, ...counts }) => ({ at: at.toISOString(), ...counts })),
    accounts,
  }
}
