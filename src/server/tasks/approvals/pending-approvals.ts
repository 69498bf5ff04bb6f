import { type RawBuilder, sql } from 'kysely'
import type { ApprovalKind } from '../../../contract/approvals/calls.ts'

/** True if a warning states why rows need approval. */
export const isReason = (warning: RawBuilder<unknown>) =>
  sql<boolean>`starts_with(${warning} ->> 'id', 'held_back-')`

/** Identifies the content of a snapshot `s`, whichever run has read it; records are what they were merged from. */
export const contentOf = (snapshot: string) =>
  sql<string>`coalesce(${sql.ref(`${snapshot}.hash`)},
    (select merged_from from compiled_versions where snapshot_id = ${sql.ref(`${snapshot}.id`)}), ${sql.ref(`${snapshot}.id`)}::text)`

/** What the waiting version `s` of the task `t` needs an approval for. */
export const kindOfWaiting = (task: string, snapshot: string) =>
  sql<ApprovalKind>`case when ${sql.ref(`${task}.category`)} = 'compiler' then 'compile_beyond_limit'
    when ${sql.ref(`${snapshot}.column_changes`)} is not null then 'columns_changed' else 'ingest_below_minimum' end`

/** Identifies what a plan `p` with the wanted rows `n` writes, and into what, whichever run has made it. */
export const contentOfPlan = sql<string>`md5(p.target_hash || coalesce(${contentOf('n')}, ''))`

/**
 * SQL of the common table expression `pending`: what active tasks wait for until a user approves it. `version` identifies exactly what a
 * user approves, `content` what a rejection is about. Indexes: tasks_waiting_snapshot_idx, plans_run_idx, approval_decisions_task_idx.
 */
export const pendingApprovals = sql`
  pending as materialized (
    select found.* from (
      select t.id as task_id,
        ${kindOfWaiting('t', 'w')} as kind, w.id::text as version, ${contentOf('w')} as content,
        coalesce((
          select string_agg(q.warning ->> 'message', ' ' order by q.place)
          from runs r cross join jsonb_array_elements(r.warnings) with ordinality as q (warning, place)
          where r.id = w.run_id and ${isReason(sql`q.warning`)}
        ), '') as reason, w.run_id, w.completed_at as at
      from tasks t join snapshots w on w.id = t.waiting_snapshot_id
      where t.is_active
      union all
      select t.id, 'run_beyond_limit', p.hash, ${contentOfPlan}, coalesce(r.error, ''), r.id, r.finished_at
      from tasks t join runs r on r.id = t.last_run_id join plans p on p.run_id = r.id join snapshots n on n.id = p.wanted_snapshot_id
      where t.is_active and r.state = 'failed' and p.limits is not null and p.expires_at > now() and p.outdated_at is null
      union all
      select t.id, 'unowned_cells', s.foreign_cells ->> 'hash', s.foreign_cells ->> 'hash', coalesce(r.error, ''), r.id, r.finished_at
      from sync_tasks s join tasks t on t.id = s.task_id join runs r on r.id = t.last_run_id
      where s.foreign_cells is not null and t.is_active and r.state = 'failed' and (s.foreign_cells ->> 'run_id')::int = r.id
    ) as found
    where not exists (
      select from approval_decisions d
      where d.task_id = found.task_id and d.kind = found.kind and d.content = found.content and not d.is_approved
    )
  )`
