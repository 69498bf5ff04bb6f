import { sql } from 'kysely'
import { PlanSummary, type Version, type Versions } from '../../../../contract/plans/calls.ts'
import { hasRows, isWhole } from '../../../plans/parts.ts'
import { Restores, sizesOfVersions, type VersionLimits } from '../../../plans/versions.ts'
import type { Db } from '../../../platform/db.ts'
import { taskName } from '../../../tasks/task-identity.ts'

/** Lists the changes of a task's target whose rows are kept. Throws NamedError `sync_task_not_found`. */
export async function listVersions(db: Db, task_id: number, limits: VersionLimits): Promise<Versions> {
  await taskName(db, 'sync', task_id)
  const sizes = await sizesOfVersions(db, task_id)
  const versions: Version[] = []
  for (const row of await read(db, task_id, limits.per_task)) versions.push(present(row, sizes))
  const bytes = [...sizes.values()].reduce<number>((sum, size) => sum + (size ?? 0), 0)
  return { versions, bytes, limits }
}

type Row = {
  id: number
  run_id: number
  changed_at: Date
  trigger: string
  rows: number
  cells_changed: number
  summary: unknown
  restores: unknown
}

// Index: plans_versions_idx. A failed run has no receipt.
async function read(db: Db, task_id: number, most: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.id, p.run_id, p.applied_at as changed_at, r.trigger_label as trigger,
      coalesce((r.receipt ->> 'rows')::int, (select sum(s.row_count)::int from plans part join snapshots s on s.id = part.wanted_snapshot_id
        where part.id = p.id or part.whole_id = p.id), 0) as rows,
      coalesce((r.receipt ->> 'cells_changed')::int, 0) as cells_changed, p.summary, p.restores
    from plans p join runs r on r.id = p.run_id
    where p.task_id = ${task_id} and p.applied_at is not null and ${isWhole} and ${hasRows}
    order by p.id desc limit ${most}`.execute(db)
  return rows
}

function present(
  { id, changed_at, summary, restores: stored, ...row }: Row,
  sizes: ReadonlyMap<number, number | null>,
): Version {
  const restores = stored === null ? null : Restores.parse(stored)
  return {
    ...row,
    changed_at: changed_at.toISOString(),
    summary: summary === null ? null : PlanSummary.parse(summary),
    restores: restores && { run_id: restores.run_id, side: restores.side },
    bytes: sizes.has(id) ? (sizes.get(id) ?? null) : 0,
  }
}
