import { sql } from 'kysely'
import {
  type Attention,
  AttentionKind,
  type PipelineState,
  type PipelineTask,
} from '../../../../contract/pipeline/calls.ts'
import type { Db } from '../../../platform/db.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import { namedTask, typeAndConfig } from './named-task.ts'

const SHOWN = 6

type Row = { kind: AttentionKind; count: number; tasks: number; task: PipelineTask; reason: string; at: Date }

/** Lists active tasks that need attention: the latest of each kind and their total number. */
export async function readAttention(
  db: Db,
): Promise<Pick<PipelineState, 'attention' | 'attention_counts' | 'attention_tasks'>> {
  const { rows } = await sql<Row>`
    with stated as materialized (
      select t.id, t.snapshot_id, t.waiting_snapshot_id, t.last_success_run_id, ${stateOfTask} as state,
        r.error, r.message, r.finished_at, r.warnings, r.stop_asked_by
      from tasks t left join runs r on r.id = t.last_run_id where t.is_active
    ), settled as (
      -- Failed tasks are listed separately; a live run may resolve it.
      select s.id, g.started_at, g.finished_at
      from stated s join runs g on g.id = s.last_success_run_id
      where s.state not in ('failed', 'error', 'queued', 'running', 'stopping')
    ), found as (
      select 'failed' as kind, id, coalesce(error, '') as reason, finished_at as at
      from stated where state in ('failed', 'error')
      union all
      select 'waiting', stated.id, '', w.created_at
      from stated join snapshots w on w.id = stated.waiting_snapshot_id
      union all
      -- Index: due_moments_task_idx.
      select 'missed', settled.id, m.reason, m.last_due_at
      from settled cross join lateral (
        select outcome, reason, last_due_at from due_moments where task_id = settled.id order by due_at desc limit 1
      ) m
      where m.outcome = 'missed' and m.last_due_at > settled.finished_at
      union all
      select 'behind', settled.id, min(f.name), max(v.completed_at)
      from settled
      join task_inputs o on o.task_id = settled.id
      join tasks f on f.id = o.input_task_id
      join snapshots v on v.id = f.snapshot_id and v.completed_at > settled.started_at
      group by settled.id
      union all
      -- Warnings of earlier versions have only a message.
      select 'warning', id, coalesce((
        select w ->> 'message' from jsonb_array_elements(warnings) w where w ->> 'id' not in (
          select a.warning_id from acknowledged_warnings a where a.task_id = stated.id)
        limit 1), message, ''), finished_at
      from stated where state = 'warning'
      union all
      select 'stopped', id, coalesce(stop_asked_by, ''), finished_at from stated where state = 'stopped'
    ), ranked as (
      select *, row_number() over (partition by kind order by at desc, id) as place,
        (count(*) over (partition by kind))::int as count,
        (select count(distinct id) from found)::int as tasks
      from found
    )
    select k.kind, k.count, k.tasks, k.reason, k.at, ${namedTask} as task
    from ranked k join tasks t on t.id = k.id ${typeAndConfig}
    where k.place <= ${SHOWN}
    order by array_position(${[...AttentionKind.options]}::text[], k.kind), k.place`.execute(db)
  const counts = new Map(rows.map(({ kind, count }) => [kind, count]))
  const countOf = (kind: AttentionKind) => counts.get(kind) ?? 0
  return {
    attention: rows.map(
      ({ kind, task, reason, at }): Attention => ({ kind, task, reason, at: at.toISOString() }),
    ),
    attention_counts: {
      failed: countOf('failed'),
      waiting: countOf('waiting'),
      missed: countOf('missed'),
      behind: countOf('behind'),
      warning: countOf('warning'),
      stopped: countOf('stopped'),
    },
    attention_tasks: rows[0]?.tasks ?? 0,
  }
}
