import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { TabIdentity } from '../../../connectors/connector.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { Restores } from '../../../plans/versions.ts'
import type { Trx } from '../../../platform/db.ts'
import { describeLimit, type Excess } from '../limits/excess.ts'

/** How long a plan can be applied. */
export const PLAN_HOURS = 24

/** Previews of a task whose plans are kept. */
const MAX_PLANS = 10

export type SavedPlan = { id: number; hash: string }

/** The plan of all tabs of a split task, which the run's first part begins. `plan`: the one that the run writes; null: none. */
export async function wholePlan(
  trx: Trx,
  { id: run_id, task_id }: RunContext['run'],
  { planned, tab, plan }: { planned: PlannedTarget; tab: TabIdentity; plan: number | null },
): Promise<number> {
  const { target_provider, target_ss_id, start_row } = planned
  const { spreadsheet_name: title } = tab
  const about = { target_provider, target_ss_id, start_row, title, tab_id: '', columns: [], key_column: null }
  const { id } = await trx
    .insertInto('plans')
    .values({
      hash: createHash('sha256')
        .update(JSON.stringify([run_id]))
        .digest('hex'),
      ...{ task_id, run_id, target_hash: '', differing: Buffer.alloc(0), is_split: true },
      target: JSON.stringify(PlannedTarget.parse(about)),
      restores: sql<string | null>`(select restores from plans where id = ${plan})`,
    })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ task_id }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores in the plan of a run which tabs stay although their values are gone; a run that changes no tab has none. */
export const nameKeptTabs = ({ db, run }: RunContext, kept: readonly string[]): Promise<unknown> =>
  sql`
    update plans set target = jsonb_set(target, '{kept}', ${JSON.stringify(kept)}::jsonb)
    where run_id = ${run.id} and is_split`.execute(db)

/** What is known of the tabs of a preview when all of them are planned. */
type Whole = {
  /** The rows of all tabs; null: those of a version. */
  wanted_snapshot_id: number | null
  /** Names of tabs that stay although their values are gone. */
  kept: readonly string[]
  key_column: KeyColumn
  exceeded: readonly Excess[]
  restores: Restores | null
}

/** Completes the plan of a preview of all tabs of a split task: it has a hash of all of them, and can be applied from now on. */
export function saveWhole(
  { run: { id: run_id, task_id }, transaction }: RunContext,
  { wanted_snapshot_id, kept, key_column, exceeded, restores }: Whole,
): Promise<SavedPlan> {
  return transaction(async (trx) => {
    const { rows } = await sql<SavedPlan>`
      with parts as (
        update plans set expires_at = now() + make_interval(hours => ${PLAN_HOURS}),
          target = jsonb_set(target, '{key_column}', ${JSON.stringify(key_column)}::jsonb)
        where run_id = ${run_id} and whole_id is not null returning id, hash, target_hash
      ), joined as (
        select string_agg(hash, ' ' order by id) as hashes, string_agg(target_hash, ' ' order by id) as target_hashes from parts
      )
      update plans set hash = encode(sha256(joined.hashes::bytea), 'hex'), target_hash = encode(sha256(joined.target_hashes::bytea), 'hex'),
        target = jsonb_set(target, '{kept}', ${JSON.stringify(kept)}::jsonb), wanted_snapshot_id = ${wanted_snapshot_id},
        limits = ${exceeded.length > 0 ? JSON.stringify(exceeded.map(describeLimit)) : null},
        restores = ${restores && JSON.stringify(restores)}, expires_at = now() + make_interval(hours => ${PLAN_HOURS})
      from joined where run_id = ${run_id} and is_split returning id, hash`.execute(trx)
    const [whole] = rows
    if (!whole) throw new Error('The plan has no tabs.')
    await expireOldPlans(trx, task_id)
    return whole
  })
}

/** Removes what an earlier attempt of the preview has planned. */
export const forgetWhole = ({ run: { id }, transaction }: RunContext): Promise<unknown> =>
  transaction((trx) =>
    trx.deleteFrom('plans').where('run_id', '=', id).where('applied_at', 'is', null).execute(),
  )

/** Only the newest plans of previews are kept. */
export const expireOldPlans = (trx: Trx, task_id: number): Promise<unknown> =>
  sql`
    update plans set expires_at = least(expires_at, now()) where coalesce(whole_id, id) in (
      select id from plans where task_id = ${task_id} and expires_at > now() and whole_id is null order by id desc offset ${MAX_PLANS}
    ) and task_id = ${task_id}`.execute(trx)
