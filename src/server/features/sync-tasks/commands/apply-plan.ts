import { sql } from 'kysely'
import { z } from 'zod'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { replacedTable } from '../../../../contract/rows/write-settings.ts'
import { ExceededLimit } from '../../../../contract/run-limits/calls.ts'
import type { RunReply } from '../../../../contract/runs/wait-for-run.ts'
import type { RunHandler } from '../../../engine/types.ts'
import { hasRows, isWhole } from '../../../plans/parts.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import type { Accepted } from '../../../platform/http/feature.ts'
import { contentOfPlan } from '../../../tasks/approvals/pending-approvals.ts'
import { recordDecision } from '../../../tasks/approvals/record-decision.ts'
import type { RunRequest } from '../../../tasks/run/run-commands.ts'
import { runTask } from '../../../tasks/run/wait-for-run.ts'
import { taskName } from '../../../tasks/task-identity.ts'

type Wait = { seconds: number | undefined; signal: AbortSignal }

/**
 * Queues a run that writes exactly the rows of a plan. Throws NamedError `plan_not_found`, `plan_of_other_task`, `plan_applied`,
 * `plan_expired` or `plan_outdated`; while waiting also `plan_live` if another run of the task is live, and as `runTask` does.
 */
export async function applyPlan(
  deps: { db: Db; handlers: readonly RunHandler[] },
  by: RunRequest,
  { id, hash }: { id: number; hash: string },
  wait: Wait,
): Promise<RunReply | Accepted<RunReply>> {
  const { db } = deps
  await taskName(db, by.category, id)
  const plan = await readApplicable(db, { hash, task_id: id })
  try {
    const definition = { plan: plan.id }
    const onQueued = async (trx: Trx) => {
      // While this call waited for the task, it may have been edited, or another call may have written the plan.
      await readApplicable(trx, { hash, task_id: id })
      await recordApproval(trx, by.actor, plan)
    }
    return await runTask(deps, { ...by, definition, joins_live: false, onQueued }, id, wait)
  } catch (error) {
    const isRefused = error instanceof NamedError && error.code === 'run_failed'
    if (isRefused && (await isOutdated(db, plan.id)))
      throw new NamedError('plan_outdated', { message: error.message, cause: error })
    throw error
  }
}

/** A plan that can be applied. `content`: what an approval of it is about; `limits`: those that it exceeds. */
type Applicable = { id: number; task_id: number; content: string; limits: unknown }

/** Stores who has approved a plan beyond limits, and which limits these are. */
export async function recordApproval(
  trx: Trx,
  actor: Actor,
  { id, task_id, content, limits }: Applicable,
): Promise<void> {
  const exceeded = z.array(ExceededLimit).parse(limits ?? [])
  if (exceeded.length === 0) return
  const reason = exceeded.map(({ text }) => text).join(' ')
  await recordDecision(trx, actor, { task_id, kind: 'run_beyond_limit', content, is_approved: true, reason })
  await audit(trx, actor, {
    action: 'run_beyond_limit',
    object_type: 'sync_task',
    object_id: task_id,
    details: { plan_id: id, limits: exceeded },
  })
}

/** Reads a plan that can be applied. Throws as `applyPlan`. `task_id`: the task that it must be of. */
export async function readApplicable(
  db: Db,
  { task_id, ...which }: { task_id?: number } & ({ hash: string } | { plan_id: number }),
): Promise<Applicable> {
  const { rows } = await sql<
    Applicable & {
      is_applied: boolean
      is_expired: boolean
      is_outdated: boolean
      is_edited: boolean
    }
  >`
    select p.id, p.task_id, p.limits, ${contentOfPlan} as content,
      p.expires_at is null or exists (
        select from runs later where later.task_id = p.task_id and later.id > p.run_id
          and (later.definition ->> 'plan')::int = p.id and later.state in ('success', 'warning')
      ) as is_applied, p.outdated_at is not null as is_outdated,
      coalesce(p.expires_at <= now(), false) or not ${hasRows} as is_expired,
      (${sameSettings}) is not true as is_edited
    from plans p
    join runs r on r.id = p.run_id
    left join snapshots n on n.id = p.wanted_snapshot_id
    left join sync_tasks s on s.task_id = p.task_id
    left join compiler_configs c on c.id = s.source_compiler_config_id
    left join sync_presets e on e.id = s.sync_preset_id
    where ${isWhole} and ${'hash' in which ? sql`p.hash = ${which.hash}` : sql`p.id = ${which.plan_id}`}`.execute(
    db,
  )
  const [plan] = rows
  const field = 'plan'
  if (!plan) throw new NamedError('plan_not_found', { field })
  if (task_id !== undefined && plan.task_id !== task_id) throw new NamedError('plan_of_other_task', { field })
  if (plan.is_applied) throw new NamedError('plan_applied', { field })
  if (plan.is_expired) throw new NamedError('plan_expired', { field })
  if (plan.is_outdated) throw new NamedError('plan_outdated', { field })
  if (plan.is_edited) throw new NamedError('plan_outdated', { field, message: messages.outdated_settings })
  return plan
}

// Runs of earlier releases have no such settings; the columns of the table have the same defaults.
const sameWriteSettings = sql.join(
  // The rows of a plan do not depend on what a run does with cells beside them.
  Object.keys(replacedTable)
    .filter((name) => name !== 'on_cells_beside' && name !== 'more_sources')
    .map(
      (name) =>
        sql`coalesce(r.definition -> ${name}, ${JSON.stringify(Reflect.get(replacedTable, name))}::jsonb) = coalesce(to_jsonb(s.${sql.ref(name)}), 'null')`,
    ),
  sql` and `,
)

const sameFurtherSources = sql<boolean>`
  jsonb_array_length(coalesce(r.definition -> 'further_sources', '[]')) = jsonb_array_length(s.more_sources)
  and not exists (
    select from further_sources f left join compiler_configs fc on fc.id = f.source_compiler_config_id
    cross join lateral (select r.definition -> 'further_sources' -> (f.place - 1) as then) d
    where f.task_id = s.task_id and (
      d.then ->> 'source_type' = f.source_type and case f.source_type
        when 'internal' then (d.then ->> 'source_task_id')::int = fc.task_id
        else (d.then ->> 'source_provider', d.then ->> 'source_ss_id') = (f.source_provider, f.source_ss_id)
          and (d.then ->> 'source_sheet_name' = f.source_sheet_name or d.then ->> 'source_place' = f.source_place) end
    ) is not true
  )`

// Whether the task still has the settings that the preview had: what is copied, and where to. A tab may have been renamed.
const sameSettings = sql<boolean>`
  (r.definition ->> 'target_provider', r.definition ->> 'target_ss_id', (r.definition ->> 'start_row')::int, r.definition ->> 'source_type')
    = (s.target_provider, s.target_ss_id, s.start_row, s.source_type)
  and (r.definition ->> 'target_sheet_name' = s.target_sheet_name or p.target ->> 'tab_id' = s.target_place)
  and r.definition -> 'excluded_fields' = coalesce(to_jsonb(e.excluded_fields), '[]')
  and coalesce(r.definition -> 'columns', 'null') = coalesce(s.columns, 'null')
  and coalesce((r.definition ->> 'include_new_columns')::boolean, false) = s.include_new_columns
  and coalesce(r.definition -> 'filter', 'null') = coalesce(s.filter, 'null')
  and coalesce(r.definition -> 'sort_by', '[]') = s.sort_by
  and (r.definition ->> 'max_rows')::int is not distinct from s.max_rows
  and coalesce(r.definition -> 'extra_columns', '[]') = s.extra_columns
  and coalesce(r.definition -> 'completeness', 'null') = coalesce(s.completeness, 'null')
  and ${sameWriteSettings}
  and ${sameFurtherSources}
  and case s.source_type when 'internal' then (r.definition ->> 'source_task_id')::int = c.task_id
    else (r.definition ->> 'source_provider', r.definition ->> 'source_ss_id') = (s.source_provider, s.source_ss_id)
      and (r.definition ->> 'source_sheet_name' = s.source_sheet_name or r.definition ->> 'source_place' = s.source_place) end`

async function isOutdated(db: Db, id: number): Promise<boolean> {
  const plan = await db.selectFrom('plans').select('outdated_at').where('id', '=', id).executeTakeFirst()
  return plan?.outdated_at != null
}
