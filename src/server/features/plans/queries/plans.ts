import { type RawBuilder, sql } from 'kysely'
import { type Plan, type PlannedTab, PlanSummary } from '../../../../contract/plans/calls.ts'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import { hasRows, isWhole, type PlanPart, readParts } from '../../../plans/parts.ts'
import { completePlan, PlannedTarget } from '../../../plans/stored-plan.ts'
import { isEmptied } from '../../../plans/summary.ts'
import { Restores } from '../../../plans/versions.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { taskName } from '../../../tasks/task-identity.ts'

/** Plans of a task in its list. */
const MAX_LISTED = 30

/** Reads a plan. Throws NamedError `plan_not_found`. */
export const readPlan = (db: Db, hash: string): Promise<Plan> => one(db, sql`p.hash = ${hash}`)

/** Reads the plan that a preview or a run has made. Throws NamedError `run_not_found` or `plan_not_found`. */
export async function readPlanOfRun(db: Db, run_id: number): Promise<Plan> {
  const run = await db.selectFrom('runs').select('id').where('id', '=', run_id).executeTakeFirst()
  if (!run) throw new NamedError('run_not_found')
  return one(db, sql`p.run_id = ${run_id}`)
}

/** Lists the plans of a task that have a summary or can get one, newest first. Throws NamedError `sync_task_not_found`. */
export async function listPlans(db: Db, task_id: number): Promise<Plan[]> {
  await taskName(db, 'sync', task_id)
  const rows = await read(db, sql`p.task_id = ${task_id} and (p.summary is not null or ${hasRows})`)
  const plans: Plan[] = []
  for (const row of rows) {
    const plan = await present(db, row)
    if (plan) plans.push(plan)
  }
  return plans
}

/** Plans of previews, by their run. */
export async function readPlansOfRuns(db: Db, run_ids: readonly number[]): Promise<Map<number, Plan>> {
  if (run_ids.length === 0) return new Map()
  const rows = await read(
    db,
    sql`p.run_id = any (${[...run_ids]}::int[]) and p.summary is not null`,
    run_ids.length,
  )
  const plans = await Promise.all(rows.map((row) => present(db, row)))
  return new Map(plans.flatMap((plan) => (plan ? [[plan.run_id, plan] as const] : [])))
}

type Row = {
  id: number
  hash: string
  task_id: number
  task_name: string
  run_id: number
  created_at: Date
  expires_at: Date | null
  state: Plan['state']
  applied_by: Plan['applied_by']
  target: unknown
  summary: unknown
  restores: unknown
  written: number | null
  is_split: boolean
  written_by_tab: Record<string, number> | null
}

async function one(db: Db, which: RawBuilder<unknown>): Promise<Plan> {
  const [row] = await read(db, which)
  const plan = row && (await present(db, row))
  if (!plan) throw new NamedError('plan_not_found')
  return plan
}

// Indexes: plans_hash_key, plans_run_idx, plans_task_idx; runs_task_idx for the runs of a task within two days.
async function read(db: Db, which: RawBuilder<unknown>, most = MAX_LISTED): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.id, p.hash, p.task_id, t.name as task_name, p.run_id, p.created_at, p.expires_at, p.target, p.summary, p.restores, p.is_split,
      (r.receipt ->> 'cells_changed')::int as written, case when p.is_split then (
        select jsonb_object_agg(tab ->> 'value', tab -> 'cells_changed') from jsonb_array_elements(r.receipt -> 'tabs') tab
      ) end as written_by_tab,
      case when a.id is not null then jsonb_build_object('run_id', a.id, 'state', a.state) end as applied_by,
      case when p.expires_at is null or a.state in ('success', 'warning') then 'applied' when p.outdated_at is not null then 'outdated'
        when p.expires_at <= now() then 'expired' else 'open' end as state
    from plans p join tasks t on t.id = p.task_id join runs r on r.id = p.run_id
    left join lateral (
      select later.id, later.state from runs later
      where p.expires_at > now() - interval '1 day' and later.task_id = p.task_id and later.id > p.run_id
        and (later.definition ->> 'plan')::int = p.id
      order by later.id desc limit 1
    ) a on true
    where ${which} and ${isWhole} order by p.id desc limit ${most}`.execute(db)
  return rows
}

/** Null if the plan has no summary and its rows are no longer kept. */
async function present(db: Db, row: Row): Promise<Plan | null> {
  const { id, target, summary: stored, restores: restored, created_at, expires_at, ...rest } = row
  const { written, written_by_tab, is_split, ...plan } = rest
  const restores = restored === null ? null : Restores.parse(restored)
  const summary =
    stored === null
      ? await completeRun(db, id, { written, written_by_tab, restores })
      : PlanSummary.parse(stored)
  if (!summary) return null
  const { title, tab_id, target_ss_id: spreadsheet_id, start_row } = PlannedTarget.parse(target)
  const tabs = is_split ? (await readParts(db, id)).flatMap(presentTab) : []
  return {
    ...plan,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    target: {
      title: is_split ? messages.tabs_of(tabs.length, title) : title,
      ...{ spreadsheet_id, tab_id, start_row },
    },
    tabs,
    restores,
    summary,
  }
}

function presentTab({ split_value: value, target, summary: stored }: PlanPart): PlannedTab[] {
  if (value === null || stored === null) return []
  const { sheet_name, tab_id, is_new, is_cleared } = PlannedTarget.parse(target)
  const { rows, cells } = PlanSummary.parse(stored)
  const change = is_new
    ? 'created'
    : is_cleared || isEmptied({ rows })
      ? 'cleared'
      : cells.written > 0
        ? 'changed'
        : 'unchanged'
  return [{ value, sheet_name, tab_id, change, rows, cells_written: cells.written }]
}

/** Finds out what the plan of a run has changed. Null if its rows are no longer kept. */
const completeRun = (
  db: Db,
  id: number,
  {
    written,
    written_by_tab,
    restores,
  }: Pick<Row, 'written' | 'written_by_tab'> & { restores: Restores | null },
): Promise<PlanSummary | null> =>
  completePlan(
    db,
    id,
    { ...{ written: written ?? 0, isWritePending: false, cost: null, beside: null }, restores },
    (value) => ({ written: written_by_tab?.[value] ?? 0, beside: null }),
  )
