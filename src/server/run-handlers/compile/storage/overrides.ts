import { sql } from 'kysely'
import type { Db, Trx } from '../../../platform/db.ts'
import { plainName } from '../../../snapshots/column-names.ts'
import type { CompilePlan } from '../rules/compile-plan.ts'
import type { StoredOverride } from '../rules/plan-overrides.ts'
import type { OverrideFinding } from '../rules/record-overrides.ts'

/** The overrides of a configuration as one compile sees them. */
type OverridesRead = {
  /** Those that apply, by id. */
  live: StoredOverride[]
  /** Those whose last day is over. */
  expired: number[]
}

/** Reads the overrides of a configuration that have not ended. `zone`: its calendar decides which last days are over. */
export async function readOverrides(
  db: Db,
  { config_id, zone }: { config_id: number | null; zone: string },
): Promise<OverridesRead> {
  const { rows } = await sql<StoredOverride & { is_over: boolean }>`
    select id, sku, field, value, coalesce(ends_on < (now() at time zone ${zone}::text)::date, false) as is_over
    from compiler_overrides where compiler_config_id = ${config_id} and state <> 'ended' order by id`.execute(
    db,
  )
  return {
    live: rows.filter(({ is_over }) => !is_over),
    expired: rows.filter(({ is_over }) => is_over).map(({ id }) => id),
  }
}

/** Stores which overrides are in the records of a version. */
export async function writeOverrides(
  trx: Trx,
  snapshot_id: number,
  findings: readonly OverrideFinding[],
): Promise<void> {
  const applied = findings.filter(({ is_same }) => !is_same)
  if (applied.length === 0) return
  await sql`
    insert into compiled_overrides (snapshot_id, row_no, field, override_id)
    select ${snapshot_id}::int, * from unnest(${applied.map(({ row_no }) => row_no)}::int[],
      ${applied.map(({ field }) => field)}::int[], ${applied.map(({ id }) => id)}::int[])`.execute(trx)
}

/** Copies which overrides are in unchanged records, whose fields keep their positions. */
export async function copyOverrides(trx: Trx, from: number, into: number): Promise<void> {
  await sql`
    insert into compiled_overrides (snapshot_id, row_no, field, override_id)
    select ${into}::int, row_no, field, override_id from compiled_overrides where snapshot_id = ${from}`.execute(
    trx,
  )
}

type Found = OverridesRead & {
  plan: CompilePlan
  findings: readonly OverrideFinding[]
  /** False: only records with new SKUs were merged. */
  overwrite: boolean
}

/**
 * Updates the overrides after a compile: those that the sources agree with end, and those for which a source has another value than
 * when they were set or kept are for review. Overrides that users ended meanwhile stay ended.
 */
export async function settleOverrides(trx: Trx, { live, plan, findings, overwrite }: Found): Promise<void> {
  if (live.length === 0) return
  const merged = plan.sources.map(({ task_id }) => `${task_id}`)
  const names = new Set(plan.fields.map(({ name }) => name))
  const of = new Map(findings.map((finding) => [finding.id, finding]))
  const judged = overwrite ? live : live.filter(({ id }) => of.has(id))
  const rows = judged.map(({ id, field }) => {
    const finding = of.get(id)
    const is_known = names.has(field) || names.has(plainName(field))
    const found = finding ? 'applied' : is_known ? 'no_sku' : 'no_field'
    return { id, found, is_same: finding?.is_same ?? false, observed: finding?.observed ?? null }
  })
  // `accepted` may have changed while the compile was running, so it is compared here.
  await sql`
    with found as (
      select f.*, o.accepted, coalesce(o.accepted, f.observed) as base
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) f (id int, found text, is_same boolean, observed jsonb)
      join compiler_overrides o on o.id = f.id
    ), judged as (
      select *, found = 'applied' and exists (
        select from unnest(${merged}::text[]) source where base -> source is distinct from observed -> source
      ) as has_changed
      from found
    )
    update compiler_overrides o set found = j.found,
      observed = coalesce(j.observed, o.observed), accepted = coalesce(o.accepted, j.observed),
      state = case when j.is_same then 'ended' when j.found <> 'applied' then o.state when j.has_changed then 'review' else 'active' end,
      ended_at = case when j.is_same then now() end, end_reason = case when j.is_same then 'same' end
    from judged j
    where o.id = j.id and o.state <> 'ended' and (
      j.is_same or o.found is distinct from j.found or (j.observed is not null and (o.observed is distinct from j.observed
        or o.accepted is null or o.state <> case when j.has_changed then 'review' else 'active' end)))`.execute(
    trx,
  )
}

/** Ends overrides whose last day is over. */
export async function endExpired(trx: Trx, expired: readonly number[]): Promise<void> {
  if (expired.length === 0) return
  await sql`
    update compiler_overrides set state = 'ended', ended_at = now(), end_reason = 'date'
    where id = any (${[...expired]}::int[]) and state <> 'ended'`.execute(trx)
}
