import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { forecastMessages } from '../../../../contract/forecast/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { runMessages } from '../../../../contract/runs/client-messages.ts'
import { type TaskSheets, taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import { taskSheets } from '../../../tasks/task-identity.ts'

/** A condition that raises an alarm. */
export type Condition = {
  kind: string
  subject: string
  category: string | null
  task_id: number | null
  task_type_id: number | null
  title: string
  reason: string
}

/** A condition as the query finds it: `sheets` are the tabs of the sync task whose name is in `title`; null for others. */
type Found = Condition & { sheets: z.infer<typeof TaskSheets> }

/** The Google project that has the quota, and the requests per window for one account and for the whole project. */
export type Quota = { project: string; limits: { account: number; project: number; window_ms: number } }

// Share of the quota at which the alarm is raised. It is cleared only when quota is available again, so that it does not flap every
// minute.
const SHORT = 0.95
const ROOM = 0.5
const SCHEDULER_SECONDS = 180

const task = (kind: string, reason: RawBuilder<string>) =>
  sql`${kind}::text, 'task ' || t.id, t.category, t.id, t.task_type_id, t.name, ${reason}, t.sheets`
const system = (kind: string, subject: RawBuilder<string>, title: RawBuilder<string>, reason: string) =>
  sql`${kind}::text, ${subject}, null::text, null::int, null::int, ${title}, ${reason}::text, null::jsonb`

/**
 * Query of all conditions that follow from the database, as rows of type Found. Conditions that a live run may resolve are in
 * `unsettled`.
 */
export const conditions = ({ project, limits: quota }: Quota): RawBuilder<Found> => sql<Found>`
  with stated as materialized (
    select t.id, t.category, t.task_type_id, t.name, ${stateOfTask} as state, r.error, r.message, r.warnings,
      g.finished_at as well_at, ${taskSheets} as sheets,
      -- Index: plans_run_idx.
      exists (select from plans p where p.run_id = r.id and p.limits is not null and p.expires_at is not null) as is_limited
    from tasks t left join runs r on r.id = t.last_run_id left join runs g on g.id = t.last_success_run_id
    left join sync_tasks s on s.task_id = t.id
    where t.is_active
  ), found (kind, subject, category, task_id, task_type_id, title, reason, sheets) as (
    select case when t.is_limited then 'limit' else 'failed' end, 'task ' || t.id, t.category, t.id, t.task_type_id, t.name,
      coalesce(t.error, ''), t.sheets
    from stated t where t.state in ('failed', 'error')
    union all
    select ${task('warning', sql`coalesce(t.warnings -> 0 ->> 'message', t.message, '')`)}
    from stated t where t.state = 'warning'
    union all
    -- Not failed while another attempt is pending or running.
    select ${task('disk', sql`${messages.no_room(runMessages.no_room)}::text`)}
    from stated t where t.state in ('queued', 'running') and t.error = ${runMessages.no_room}
    union all
    select ${task('missed', sql`m.reason`)}
    from stated t
    -- Index: due_moments_task_idx.
    cross join lateral (
      select outcome, coalesce(reason, '') as reason, last_due_at from due_moments
      where task_id = t.id order by due_at desc limit 1
    ) m
    where m.outcome = 'missed' and m.last_due_at > coalesce(t.well_at, '-infinity')
    union all
    select ${task('stale', sql`${messages.stale_reason(limits.source_stale_hours)}::text`)}
    from stated t where t.category = 'source' and t.well_at < now() - make_interval(hours => ${limits.source_stale_hours})
    union all
    select 'late', 'ready by ' || b.id, coalesce(k.category, y.category, 'sync'), b.task_id,
      coalesce(b.task_type_id, k.task_type_id), b.ready_by || ' ' || coalesce(k.name, y.name, (
        select max(target_ss_name) from sync_tasks where target_ss_id = b.spreadsheet_id and target_ss_name <> ''
      ), b.spreadsheet_id), b.reason || ' ' || b.suggestion, ${taskSheets}
    from ready_by b left join tasks k on k.id = b.task_id left join sync_tasks s on s.task_id = b.task_id
    left join task_types y on y.id = b.task_type_id
    where b.is_late and b.deadline > now()
    union all
    select ${system('worker', sql`'worker'::text`, sql`${messages.no_worker}::text`, messages.no_worker_reason)}
    where not exists (select from workers where seen_at > now() - interval '15 seconds')
      and exists (select from runs where state = 'queued' and queued_at < now() - interval '1 minute')
    union all
    select ${system('worker', sql`'scheduler'::text`, sql`${messages.no_scheduler}::text`, messages.no_scheduler_reason)}
    from schedule_clock where looked_at < now() - make_interval(secs => ${SCHEDULER_SECONDS})
    union all
    select ${system('grant', sql`'account ' || u.id`, sql`u.email`, messages.grant_reason)}
    from grants g join users u on u.id = g.user_id where g.revoked_at is not null and u.disabled_at is null
    union all
    select ${system('quota', sql`'quota ' || name`, sql`name`, messages.quota_reason)}
    from (
      -- Index: quota_log_idx, for the project and for each of its accounts.
      select concat_ws(' ', kind, account) as name, count(*) as used,
        case when account is null then ${quota.project}::int else ${quota.account}::int end as allowed
      from quota_log
      where project = ${project} and kind in ('read', 'write')
        and started_at > clock_timestamp() - ${quota.window_ms} * interval '1 millisecond'
      group by grouping sets ((kind), (kind, account))
    ) q
    where used >= allowed * case when exists (
      select from alarms a where a.kind = 'quota' and a.subject = 'quota ' || q.name and a.over_at is null
    ) then ${ROOM}::float8 else ${SHORT}::float8 end
  )
  select * from found`

/** Title of an alarm: a task as on screens, a time with what is late, an account, a quota. */
export function titleOf({ kind, title, task_id, sheets }: Omit<Found, 'subject' | 'reason'>): string {
  const named = (name: string) => titleText(taskTitle({ id: task_id, name, sheets }))
  // The time of day, a blank, and the name.
  if (kind === 'late') return forecastMessages.late(named(title.slice(6)), title.slice(0, 5))
  if (kind === 'grant') return messages.grant_revoked(title)
  if (kind !== 'quota') return named(title)
  const [requests = '', account] = title.split(' ')
  return messages.quota_short(requests, account)
}
