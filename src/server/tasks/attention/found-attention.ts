import { sql } from 'kysely'
import type { FailureClaim, FailureMark } from '../../../contract/runs/failure-marks.ts'
import { jsonMoment } from '../../platform/json-moment.ts'
import { pendingApprovals } from '../approvals/pending-approvals.ts'
import { stateOfTask } from '../list/type-states.ts'

// The stored cause of the last run `r` of task `t`; null if the task has another: its retry was cancelled, or one of its warnings
// was acknowledged.
const causeOfRun = sql`case
  when t.stopped_run_id = r.id then null
  when r.state <> 'warning' then r.cause
  when not exists (select from acknowledged_warnings a where a.task_id = t.id) then r.cause end`

/**
 * SQL of common table expressions, the last one `found`: each reason for which an active task needs attention, with `kind`, `id` (of the
 * task), `reason`, `at`, `cause`, and `mark_kind`, which is null unless the task is marked for this cause. A task can have several rows.
 */
export const foundAttention = sql`
  ${pendingApprovals}, stated as materialized (
    select t.id, t.snapshot_id, t.last_success_run_id, ${stateOfTask} as state,
      r.id as run_id, r.error, r.message, r.finished_at, r.warnings, r.stop_asked_by, ${causeOfRun} as cause
    from tasks t left join runs r on r.id = t.last_run_id where t.is_active
  ), settled as (
    -- Failed tasks are listed separately; a live run may resolve it.
    select s.id, g.started_at, g.finished_at
    from stated s join runs g on g.id = s.last_success_run_id
    where s.state not in ('failed', 'error', 'queued', 'running', 'stopping')
  ), reasons as (
    select case when p.task_id is not null then 'waiting' when state = 'error' then 'failed' else state end as kind, id,
      reason_of_end(id, state, error, message, warnings, stop_asked_by) as reason, finished_at as at,
      case when p.task_id is null then cause end as cause
    from stated left join pending p on p.task_id = stated.id and p.run_id = stated.run_id
      and p.kind not in ('ingest_below_minimum', 'columns_changed', 'compile_beyond_limit')
    where state in ('failed', 'error', 'warning', 'stopped')
    union all
    select 'waiting', task_id, '', at, null from pending where kind in ('ingest_below_minimum', 'columns_changed', 'compile_beyond_limit')
    union all
    -- Index: due_moments_task_idx.
    select 'missed', settled.id, m.reason, m.last_due_at, null
    from settled cross join lateral (
      select outcome, reason, last_due_at from due_moments where task_id = settled.id order by due_at desc limit 1
    ) m
    where m.outcome = 'missed' and m.last_due_at > settled.finished_at
    union all
    select 'behind', settled.id, min(f.name), max(v.completed_at), null
    from settled
    join task_inputs o on o.task_id = settled.id
    join tasks f on f.id = o.input_task_id
    join snapshots v on v.id = f.snapshot_id and v.completed_at > settled.started_at
    group by settled.id
    union all
    -- One cause per configuration. Index: compiler_overrides_review_idx.
    select 'review', stated.id, v.count::text, coalesce(s.completed_at, v.at), md5('review ' || stated.id)
    from (
      select compiler_config_id, count(*) as count, max(created_at) as at
      from compiler_overrides where state = 'review' group by compiler_config_id
    ) v
    join compiler_configs c on c.id = v.compiler_config_id join stated on stated.id = c.task_id
    left join snapshots s on s.id = stated.snapshot_id
  ), found as materialized (
    select q.*, case when m.cause = q.cause and q.kind in ('failed', 'warning', 'stopped')
        and (m.until is null or m.until > now()) then m.kind end as mark_kind
    -- Without offset 0, PostgreSQL computes the cause of each row wherever it is used, which takes most of the query's time.
    from (
      select kind, id, reason, at, coalesce(cause, failure_cause(kind, reason)) as cause from reasons offset 0
    ) q
    left join failure_marks m on m.task_id = q.id
  )`

/** SQL for the mark `m` of a task, by the left-joined user `mu`, as JSON. */
export const markJson = sql<FailureMark>`jsonb_build_object('kind', m.kind,
  'by', jsonb_build_object('email', mu.email, 'name', mu.name), 'at', ${jsonMoment(sql`m.at`)},
  'until', case when m.until is not null then ${jsonMoment(sql`m.until`)} end)`

/** SQL for the claim `k` of a task, by the left-joined user `ku`, as JSON. */
export const claimJson = sql<FailureClaim>`jsonb_build_object(
  'by', jsonb_build_object('email', ku.email, 'name', ku.name), 'at', ${jsonMoment(sql`k.at`)})`

/** Left joins on `task_id` that `markJson` and `claimJson` require. */
export const markAndClaimOf = (task_id: string) => sql`
  left join failure_marks m on m.task_id = ${sql.ref(task_id)} left join users mu on mu.id = m.user_id
  left join failure_claims k on k.task_id = ${sql.ref(task_id)} left join users ku on ku.id = k.user_id`
