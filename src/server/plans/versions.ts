import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Trx } from '../platform/db.ts'
import { measureSnapshots } from '../snapshots/snapshot.ts'

/** Most snapshots that are measured in one pass; after an upgrade, all are new. The others follow in the next passes. */
const MEASURED_AT_ONCE = 500

/** What a plan restores: the target before (`former`) or after (`wanted`) a run changed it. */
export const Restores = z.object({
  run_id: z.int(),
  side: z.enum(['former', 'wanted']),
  /** Cells that were edited since that run or the last one and are kept, and addresses of the first ones. */
  kept: z.object({ cells: z.int(), addresses: z.array(z.string()) }),
  /** Cells of rows that were deleted since and stay deleted. */
  deleted_cells: z.int(),
  /** Formulas that are written back; null: it is unknown which cells were formulas. */
  formulas: z.int().nullable(),
})
export type Restores = z.infer<typeof Restores>

/** How many versions are kept: per task, and as the space that their rows take in the database. */
export type VersionLimits = { days: number; per_task: number; bytes: number }

/** Makes the plan of a run a version, once the run has written it, or the tab of a value. */
export const markApplied = (trx: Trx, run_id: number, split_value: string | null): Promise<unknown> =>
  sql`
    with written as (
      select max(id) as id from plans
      where run_id = ${run_id} and expires_at is null and not is_split and split_value is not distinct from ${split_value}::text
    )
    update plans set applied_at = now() where applied_at is null and (
      id = (select id from written) or id = (select whole_id from plans where id = (select id from written))
    )`.execute(trx)

/**
 * Forgets the rows of versions beyond the limits, the oldest first. Rows that something else uses stay; the others are pruned. The last
 * change of a task can be undone for as long as `days`, because its rows are kept anyway.
 */
export async function limitVersions(db: Db, { days, per_task, bytes }: VersionLimits): Promise<void> {
  await measureVersions(db)
  await sql`
    with versions as (
      select coalesce(whole_id, id) as id, task_id, max(applied_at) as applied_at,
        row_number() over (partition by task_id order by coalesce(whole_id, id) desc) as place
      from plans where ${isVersion} group by coalesce(whole_id, id), task_id
    ), summed as (
      select v.id, v.applied_at, v.place, coalesce(u.bytes, 0) as own,
        sum(coalesce(u.bytes, 0)) over (order by v.id desc) as total
      from versions v left join (${bytesByVersion(null)}) u on u.plan_id = v.id
    )
    update plans set wanted_snapshot_id = null, former_snapshot_id = null from summed
    where coalesce(plans.whole_id, plans.id) = summed.id and (summed.place > ${per_task}::int
      or summed.applied_at < now() - make_interval(days => ${days}::int)
      or (summed.own > 0 and summed.total > ${bytes}::float8))`.execute(db)
}

/**
 * Bytes in the database by version of a task; null until `limitVersions` has measured all of its rows. Rows that are kept anyway count
 * for none, shared ones for the newest.
 */
export async function sizesOfVersions(db: Db, task_id: number): Promise<Map<number, number | null>> {
  type Size = { plan_id: number; bytes: number; is_measured: boolean }
  const { rows } = await sql<Size>`${bytesByVersion(task_id)}`.execute(db)
  return new Map(rows.map(({ plan_id, bytes, is_measured }) => [plan_id, is_measured ? bytes : null]))
}

const isVersion = sql`(applied_at is not null and wanted_snapshot_id is not null and former_snapshot_id is not null)`

const ofTask = (task_id: number | null) => (task_id === null ? sql`true` : sql`p.task_id = ${task_id}`)

// Indexes: plans_versions_idx, snapshots_pkey, tasks_pkey.
const bytesByVersion = (task_id: number | null) => sql`
  select plan_id, coalesce(sum(bytes), 0)::float8 as bytes, bool_and(bytes is not null) as is_measured from (
    select s.id, s.bytes, max(coalesce(p.whole_id, p.id)) as plan_id
    from plans p cross join unnest(array[p.wanted_snapshot_id, p.former_snapshot_id]) used (id)
    join snapshots s on s.id = used.id join tasks t on t.id = p.task_id
    where ${isVersion} and ${ofTask(task_id)}
      and not exists (select from split_tabs b where b.snapshot_id = s.id)
      and s.id is distinct from t.snapshot_id and s.id is distinct from t.before_snapshot_id
    group by s.id, s.bytes
  ) used group by plan_id`

/** Measures the rows of versions that are not measured yet, the newest first. */
async function measureVersions(db: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select s.id from snapshots s
    where s.bytes is null and s.id in (
      select used.id from plans p cross join unnest(array[p.wanted_snapshot_id, p.former_snapshot_id]) used (id) where ${isVersion}
    ) order by s.id desc limit ${MEASURED_AT_ONCE}`.execute(db)
  await measureSnapshots(
    db,
    rows.map(({ id }) => id),
  )
}
