import { type RawBuilder, sql } from 'kysely'

/** Parameters of the metric families. */
export type Subject = {
  project: string
  limits: { account: number; project: number; window_ms: number }
}

/** A gauge: its labels and the query that returns a value per label set. */
export type Family = {
  name: string
  help: string
  labels: readonly string[]
  read: (subject: Subject) => RawBuilder<Record<string, string | number | null>>
}

const HOUR = sql`now() - interval '1 hour'`
// Workers send a heartbeat every few seconds.
const LIVES = sql`seen_at > now() - interval '15 seconds'`

/**
 * Metrics that are read from the database for each scrape. Every process with the api role returns the same values; aggregate them
 * with max.
 */
export const families: readonly Family[] = [
  {
    name: 'rowferry_tasks',
    help: 'Active tasks by the state of their last run; never: they never ran',
    labels: ['category', 'state'],
    read: () => sql`
      select t.category, coalesce(r.state, 'never') as state, count(*)::int as value
      from tasks t left join runs r on r.id = t.last_run_id where t.is_active group by 1, 2`,
  },
  {
    name: 'rowferry_runs_live',
    help: 'Runs that are queued, running or stopping',
    labels: ['category', 'state'],
    // Index: runs_live_idx.
    read: () => sql`
      select c.category, s.state, count(r.id)::int as value
      from unnest(array['sync', 'source', 'compiler']) c (category)
      cross join unnest(array['queued', 'running', 'stopping']) s (state)
      left join runs r on r.category = c.category and r.state = s.state and r.state in ('queued', 'running', 'stopping')
      group by 1, 2`,
  },
  {
    name: 'rowferry_runs_oldest_queued_seconds',
    help: 'How long the first of the queued runs has waited, in seconds; 0: none waits',
    labels: [],
    // The fence keeps PostgreSQL from reading runs_queued_at_idx from its oldest entry on, through the whole history.
    read: () => sql`
      select coalesce(extract(epoch from now() - min(queued_at)), 0)::float8 as value
      from (select queued_at from runs where state = 'queued' offset 0) queued`,
  },
  {
    name: 'rowferry_runs_ended_last_hour',
    help: 'Runs that ended within the last hour, by how',
    labels: ['category', 'state'],
    // Index: runs_finished_idx (last hour).
    read: () => sql`
      select c.category, s.state, count(r.id)::int as value
      from unnest(array['sync', 'source', 'compiler']) c (category)
      cross join unnest(array['success', 'warning', 'failed', 'error', 'stopped']) s (state)
      left join runs r on r.category = c.category and r.state = s.state and r.finished_at > ${HOUR}
      group by 1, 2`,
  },
  {
    name: 'rowferry_run_seconds_last_hour',
    help: 'Duration of the runs that ended within the last hour, in seconds, by quantile',
    labels: ['category', 'quantile'],
    read: () => sql`
      select category, q::text as quantile,
        percentile_cont(q) within group (order by extract(epoch from finished_at - started_at)::float8) as value
      from runs cross join unnest(array[0.5, 0.95, 1]::float8[]) q
      where finished_at > ${HOUR} and started_at is not null group by category, q`,
  },
  {
    name: 'rowferry_rows_last_hour',
    help: 'Rows of the runs that ended well within the last hour',
    labels: ['category'],
    read: () => sql`
      select category, sum(rows_done)::float8 as value from runs
      where finished_at > ${HOUR} and state in ('success', 'warning') group by 1`,
  },
  {
    name: 'rowferry_cells_changed_last_hour',
    help: 'Cells of target sheets that runs have changed within the last hour',
    labels: [],
    read: () => sql`
      select coalesce(sum((receipt ->> 'cells_changed')::float8), 0) as value from runs
      where finished_at > ${HOUR} and category = 'sync' and state in ('success', 'warning') and not is_preview`,
  },
  {
    name: 'rowferry_redeliveries_last_hour',
    help: 'Redeliveries of runs whose worker fell silent, in runs that ended within the last hour',
    labels: [],
    read: () => sql`
      select coalesce(sum(redeliveries), 0)::int as value from runs where finished_at > ${HOUR}`,
  },
  {
    name: 'rowferry_due_last_hour',
    help: 'Scheduled runs that were due within the last hour by what became of them',
    labels: ['outcome'],
    read: () => sql`
      select o.outcome, count(m.id)::int as value
      from unnest(array['started', 'missed', 'waiting']) o (outcome)
      left join due_moments m on m.due_at > ${HOUR} and coalesce(m.outcome, 'waiting') = o.outcome group by 1`,
  },
  {
    name: 'rowferry_due_lag_seconds',
    help: 'The longest that a scheduled run of the last hour waited until it was recorded, in seconds',
    labels: [],
    read: () => sql`
      select coalesce(max(extract(epoch from recorded_at - last_due_at)), 0)::float8 as value
      from due_moments where due_at > ${HOUR} and moments = 1`,
  },
  {
    name: 'rowferry_scheduler_look_age_seconds',
    help: 'How long ago a scheduler last looked at the schedules, in seconds',
    labels: [],
    read: () => sql`select extract(epoch from now() - looked_at)::float8 as value from schedule_clock`,
  },
  {
    name: 'rowferry_workers',
    help: 'Workers that live',
    labels: [],
    read: () => sql`select count(*)::int as value from workers where ${LIVES}`,
  },
  {
    name: 'rowferry_quota_used',
    help: 'Requests to Google within the window that it counts; account all: of the whole project',
    labels: ['account', 'kind'],
    // Index: quota_log_idx.
    read: ({ project, limits }) => sql`
      with counted as (
        select account, kind, count(*)::int as value from quota_log
        where project = ${project} and kind in ('read', 'write')
          and started_at > clock_timestamp() - ${limits.window_ms} * interval '1 millisecond'
        group by 1, 2
      )
      select account, kind, value from counted
      union all
      select 'all', k.kind, coalesce(sum(value), 0)::int
      from unnest(array['read', 'write']) k (kind) left join counted using (kind) group by 2`,
  },
  {
    name: 'rowferry_quota_limit',
    help: 'What Google allows within that window; account each: a single account',
    labels: ['account'],
    read: ({ limits }) => sql`
      select * from (values ('all', ${limits.project}::int), ('each', ${limits.account}::int)) v (account, value)`,
  },
  {
    name: 'rowferry_grants',
    help: 'Google accounts of people who are not disabled, by whether they can be used',
    labels: ['state'],
    read: () => sql`
      select s.state, count(g.user_id)::int as value
      from unnest(array['connected', 'revoked']) s (state)
      left join (grants g join users u on u.id = g.user_id and u.disabled_at is null)
        on (case when g.revoked_at is null then 'connected' else 'revoked' end) = s.state group by 1`,
  },
  {
    name: 'rowferry_mails_waiting',
    help: 'Mails about failed runs that have not left yet',
    labels: [],
    read: () => sql`select count(distinct recipient)::int as value from run_mails where due_at is not null`,
  },
  {
    name: 'rowferry_database_bytes',
    help: 'Size of the database; part rows: of the rows that are stored',
    labels: ['part'],
    read: () => sql`
      select * from (values ('all', pg_database_size(current_database())::float8),
        ('rows', (pg_total_relation_size('snapshot_rows') + pg_total_relation_size('compiled_blocks'))::float8)) v (part, value)`,
  },
]
