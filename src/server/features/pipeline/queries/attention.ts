import { sql } from 'kysely'
import type { QueryOf } from '../../../../contract/calls.ts'
import {
  type Attention,
  type AttentionGroup,
  AttentionKind,
  type PipelineState,
  type PipelineTask,
  type pipeline,
} from '../../../../contract/pipeline/calls.ts'
import type { FailureClaim, FailureMark } from '../../../../contract/runs/failure-marks.ts'
import type { Db } from '../../../platform/db.ts'
import {
  claimJson,
  foundAttention,
  markAndClaimOf,
  markJson,
} from '../../../tasks/attention/found-attention.ts'
import { namedTask, typeAndConfig } from '../../../tasks/named-task.ts'

const GROUPS_PER_KIND = 6
const TASKS_PER_GROUP = 5

type Row = Omit<Attention, 'at' | 'mark' | 'claim' | 'task'> & {
  task: PipelineTask
  at: Date
  mark: FailureMark | null
  claim: FailureClaim | null
}

// Of `found` joined with `m` and `k`.
const columnsOfFound = sql`f.kind, f.cause, f.reason, f.at, ${namedTask} as task,
  case when f.mark_kind is not null then ${markJson} end as mark,
  case when k.cause = f.cause and f.kind in ('failed', 'warning', 'stopped') then ${claimJson} end as claim`

const attentionOf = ({ kind, cause, task, reason, at, mark, claim }: Row): Attention => ({
  ...{ kind, cause, task, reason, mark, claim },
  at: at.toISOString(),
})

const kinds = sql`${[...AttentionKind.options]}::text[]`

type Member = Row & { count: number; claims: AttentionGroup['claims'] | null }

// Of the group of `f` in `claimed`, the earliest first. `k` stands for a claim here.
const claimsOfGroup = sql`(
  select coalesce(jsonb_agg(${claimJson} || jsonb_build_object('count', k.count) order by k.at), '[]')
  from claimed k join users ku on ku.id = k.user_id where k.kind = f.kind and k.cause = f.cause
)`

type Totals = {
  counts: Partial<PipelineState['attention_counts']> | null
  tasks: number
  acknowledged: number
  snoozed: number
}

/** Groups active tasks that need attention by cause: the largest groups of each kind with their latest tasks, and total numbers. */
export async function readAttention(
  db: Db,
): Promise<Pick<PipelineState, 'attention' | 'attention_counts' | 'attention_tasks' | 'marked'>> {
  const { rows } = await sql<Totals & ({ kind: null } | Member)>`
    with ${foundAttention}, counted as (
      select kind, cause, count(*)::int as count, max(at) as latest from found where mark_kind is null group by kind, cause
    ), shown as (
      select * from (
        select *, row_number() over (partition by kind order by count desc, latest desc, cause) as place from counted
      ) c where place <= ${GROUPS_PER_KIND}
    ), members as (
      select f.*, s.count, s.place,
        row_number() over (partition by f.kind, f.cause order by f.at desc, f.id) as member
      from found f join shown s on s.kind = f.kind and s.cause = f.cause where f.mark_kind is null
    ), claimed as (
      select f.kind, f.cause, k.user_id, count(*)::int as count, min(k.at) as at
      from found f join failure_claims k on k.task_id = f.id and k.cause = f.cause
      where f.mark_kind is null and f.kind in ('failed', 'warning', 'stopped') group by f.kind, f.cause, k.user_id
    ), totals as (
      select (select jsonb_object_agg(kind, count) from (
          select kind, sum(count)::int as count from counted group by kind) c) as counts,
        (count(distinct id) filter (where mark_kind is null))::int as tasks,
        (count(*) filter (where mark_kind = 'acknowledged'))::int as acknowledged,
        (count(*) filter (where mark_kind = 'snoozed'))::int as snoozed
      from found
    )
    select totals.*, ${columnsOfFound}, f.count, case when f.member = 1 then ${claimsOfGroup} end as claims
    from totals left join members f on f.member <= ${TASKS_PER_GROUP}
    left join tasks t on t.id = f.id ${typeAndConfig} ${markAndClaimOf('f.id')}
    order by array_position(${kinds}, f.kind), f.place, f.member`.execute(db)
  const found = rows.flatMap((row) => (row.kind === null ? [] : [row]))
  const [first] = rows
  const countOf = (kind: AttentionKind) => first?.counts?.[kind] ?? 0
  return {
    attention: [...Map.groupBy(found, ({ kind, cause }) => `${kind} ${cause}`).values()].flatMap(groupOf),
    attention_counts: {
      failed: countOf('failed'),
      waiting: countOf('waiting'),
      missed: countOf('missed'),
      behind: countOf('behind'),
      review: countOf('review'),
      warning: countOf('warning'),
      stopped: countOf('stopped'),
    },
    attention_tasks: first?.tasks ?? 0,
    marked: { acknowledged: first?.acknowledged ?? 0, snoozed: first?.snoozed ?? 0 },
  }
}

function groupOf(rows: Member[]): AttentionGroup[] {
  const [first] = rows
  if (first === undefined) return []
  const { kind, cause, reason, at } = attentionOf(first)
  return [
    { kind, cause, reason, at, count: first.count, claims: first.claims ?? [], tasks: rows.map(attentionOf) },
  ]
}

/** Lists tasks that need attention, or that are marked: the most severe kind first, then the latest. */
export async function listAttention(
  db: Db,
  { cause, task_id, marked, limit }: QueryOf<typeof pipeline.attention>,
): Promise<{ tasks: Attention[]; total: number }> {
  const conditions = [
    marked === 'true' ? sql`f.mark_kind is not null` : sql`f.mark_kind is null`,
    cause !== undefined && sql`f.cause = ${cause}`,
    task_id !== undefined && sql`f.id = ${task_id}`,
  ].filter((condition) => condition !== false)
  const { rows } = await sql<Row & { total: number }>`
    with ${foundAttention}
    select ${columnsOfFound}, (count(*) over ())::int as total
    from found f join tasks t on t.id = f.id ${typeAndConfig} ${markAndClaimOf('f.id')}
    where ${sql.join(conditions, sql` and `)}
    order by array_position(${kinds}, f.kind), f.at desc, f.id limit ${limit}`.execute(db)
  return { tasks: rows.map(attentionOf), total: rows[0]?.total ?? 0 }
}
