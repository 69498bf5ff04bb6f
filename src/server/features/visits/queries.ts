import { sql } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { PipelineTask } from '../../../contract/pipeline/calls.ts'
import type { ChangeKind, Changes, News } from '../../../contract/visits/calls.ts'
import type { Db } from '../../platform/db.ts'
import { stateOfTask } from '../../tasks/list/type-states.ts'
import { typeAndConfig } from '../../tasks/named-task.ts'
import { taskSheets } from '../../tasks/task-identity.ts'

const CAUSES = 5
const TASKS = 3
const CHANGES = 8

/** What happened since a moment, by default since the previous visit of the user; null without one. At most 92 days. */
export async function readNews(db: Db, user_id: number, since: string | undefined): Promise<News | null> {
  const from = since ?? (await readPreviousEnd(db, user_id))
  if (from === null) return null
  const { rows } = await sql<{ since: Date }>`
    select greatest(${from}::timestamptz, now() - ${limits.news_days_max} * interval '1 day') as since`.execute(
    db,
  )
  const start = rows[0]?.since ?? new Date(from)
  const [failed, recovered, changes] = await Promise.all([
    readFailed(db, start),
    readRecovered(db, start),
    readChanges(db, user_id, start),
  ])
  return { since: start.toISOString(), failed, recovered, changes }
}

async function readPreviousEnd(db: Db, user_id: number): Promise<string | null> {
  const visit = await db
    .selectFrom('visits')
    .select('previous_ended_at')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return visit?.previous_ended_at?.toISOString() ?? null
}

// The state in which task `t` was at a moment; null: it had not run. Index: runs_task_idx.
const stateAt = (moment: Date) => sql`(
  select p.state from runs p where p.task_id = t.id and p.finished_at < ${moment} order by p.id desc limit 1)`

const named = sql<PipelineTask>`jsonb_build_object('id', id, 'category', category, 'name', name, 'sheets', sheets,
  'type', type, 'config_id', config_id)`

async function readFailed(db: Db, since: Date): Promise<News['failed']> {
  const { rows } = await sql<News['failed']['causes'][number] & { all: number }>`
    with failing as (
      select t.id, t.category, t.name, ${taskSheets} as sheets, y.name as type, c.id as config_id,
        coalesce(r.error, '') as reason, r.finished_at as at, r.cause
      from tasks t join runs r on r.id = t.last_run_id ${typeAndConfig}
      where t.is_active and r.finished_at >= ${since} and ${stateOfTask} in ('failed', 'error')
        and coalesce(${stateAt(since)} not in ('failed', 'error'), true)
    ), placed as (
      select *, row_number() over (partition by cause order by at desc, id) as place from failing
    )
    select cause, count(*)::int as count, (sum(count(*)) over ())::int as all,
      min(reason) filter (where place = 1) as reason,
      jsonb_agg(${named} order by place) filter (where place <= ${TASKS}) as tasks
    from placed group by cause order by count desc, cause limit ${CAUSES}`.execute(db)
  return { count: rows[0]?.all ?? 0, causes: rows.map(({ all: _, ...cause }) => cause) }
}

async function readRecovered(db: Db, since: Date): Promise<News['recovered']> {
  const { rows } = await sql<{ count: number; tasks: PipelineTask[] | null }>`
    with well as (
      select t.id, t.category, t.name, ${taskSheets} as sheets, y.name as type, c.id as config_id, r.finished_at as at
      from tasks t join runs r on r.id = t.last_run_id ${typeAndConfig}
      where t.is_active and r.finished_at >= ${since} and r.state in ('success', 'warning') and (
        ${stateAt(since)} in ('failed', 'error')
        or exists (select from runs f where f.task_id = t.id and f.state in ('failed', 'error') and f.finished_at >= ${since})
      )
    ), placed as (
      select *, row_number() over (order by at desc, id) as place from well
    )
    select count(*)::int as count, jsonb_agg(${named} order by place) filter (where place <= ${TASKS}) as tasks
    from placed`.execute(db)
  return { count: rows[0]?.count ?? 0, tasks: rows[0]?.tasks ?? [] }
}

/** The actions of the audit log that change objects; others run, mark or move them. */
const kinds: Record<string, ChangeKind> = {
  create: 'created',
  update: 'changed',
  rename: 'changed',
  use_own_account: 'changed',
  ready_by: 'changed',
  schedule_run_all: 'changed',
  name_column: 'changed',
  map_sku: 'changed',
  delete: 'deleted',
  delete_all: 'deleted',
  activate: 'activated',
  deactivate: 'deactivated',
  import: 'imported',
  accept_rows: 'approved',
  accept_records: 'approved',
}

async function readChanges(db: Db, user_id: number, since: Date): Promise<Changes[]> {
  // Index: audit_log_at_idx. What the user did in this browser session or another one is known to the user.
  const { rows } = await sql<Changes>`
    with kinds as (
      select key as action, value as kind from jsonb_each_text(${JSON.stringify(kinds)}::jsonb)
    ), changed as (
      select a.actor, k.kind, a.object_type, a.object_id, max(a.id) as last, max(a.details ->> 'name') as name
      from audit_log a join kinds k on k.action = a.action
      where a.at >= ${since} and (a.user_id is distinct from ${user_id} or a.details ? 'token')
      group by a.actor, k.kind, a.object_type, a.object_id
    ), placed as (
      select c.*, coalesce(t.name, c.name) as task,
        row_number() over (partition by c.actor, c.kind, c.object_type
          order by coalesce(t.name, c.name) is null, c.last desc) as place
      from changed c left join tasks t
        on c.object_type in ('sync_task', 'source_task', 'compiler_task') and t.id::text = c.object_id
    )
    select jsonb_build_object('email', actor, 'name', coalesce((
        select u.name from users u where lower(u.email) = lower(actor) order by u.id limit 1), '')) as by,
      kind, object_type, count(*)::int as count,
      coalesce(jsonb_agg(task order by place) filter (where place <= ${TASKS} and task is not null), '[]') as names
    from placed group by actor, kind, object_type
    order by count desc, actor, kind, object_type limit ${CHANGES}`.execute(db)
  return rows
}
