import { sql } from 'kysely'
import type { Wait } from '../../contract/runs/waits.ts'
import type { Db } from '../platform/db.ts'
import { readUnmet } from './prerequisites.ts'
import { readTypeAdmission } from './type-admission.ts'
import { readWaitGroups } from './waits.ts'

/** What blocks a type's runs, by the rules of admission. */
export type TypeWaits = {
  /** Ids of the prerequisite types with live runs: a run that is queued now waits for them. */
  ahead: number[]
  /** The unmet prerequisites with which its runs would be refused; see `readUnmet`. */
  unmet: string[]
  /** What its queued runs wait for. */
  queue: { wait: Wait; runs: number }[]
}

/** By type id. Five queries, independent of the number of types. */
export async function readTypeWaits(db: Db, type_ids: readonly number[]): Promise<Map<number, TypeWaits>> {
  const types = await readTypeAdmission(db)
  const live = new Set(
    types.filter(({ first_blocking_run }) => first_blocking_run !== null).map(({ id }) => id),
  )
  const dependencies = await readDependencies(db, type_ids)
  const unmet = await readUnmet(db, [...dependencies.keys()])
  const lines = Map.groupBy((await readWaitGroups(db, null)).values(), ({ type_id }) => type_id)
  return new Map(
    type_ids.map((id) => [
      id,
      {
        ahead: (dependencies.get(id) ?? []).filter((prerequisite) => live.has(prerequisite)),
        unmet: unmet.get(id) ?? [],
        queue: (lines.get(id) ?? []).map(({ wait, task_ids }) => ({ wait, runs: task_ids.length })),
      },
    ]),
  )
}

async function readDependencies(db: Db, type_ids: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; prerequisites: number[] }>`
    select task_type_id as id, array_agg(depends_on_id order by position) as prerequisites
    from task_type_dependencies where task_type_id = any(${[...type_ids]}::int[]) group by 1`.execute(db)
  return new Map(rows.map(({ id, prerequisites }) => [id, prerequisites]))
}
