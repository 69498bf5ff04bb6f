import { sql } from 'kysely'
import type { WrittenCell } from '../../../../contract/lineage/calls.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { readSnapshot } from '../../../snapshots/snapshot.ts'
import { readRow } from './stored-version.ts'

/** Newest versions of a target that are compared. */
const MAX_VERSIONS = 200

/** A cell of a task's target, counted from the header row and from column 0. */
type Cell = {
  task_id: number
  tab_id: string
  start_row: number
  row: number
  column: number
  value: CellValue
}

type Version = {
  run_id: number
  at: Date
  former_id: number | null
  wanted_id: number | null
  is_here: boolean
  differs: boolean
}

/**
 * Since which run a target's cell has its value: the newest change of its row that a run has made and in which this cell had another
 * value. Null if no version is known. A change whose rows are no longer stored ends the search: the cell has its value at least since
 * then. Index: plans_task_idx.
 */
export async function valueSince(
  db: Db,
  { task_id, tab_id, start_row, row, column, value }: Cell,
): Promise<Omit<NonNullable<WrittenCell['since']>, 'former_text'> | null> {
  const { rows: versions } = await sql<Version>`
    select p.run_id, coalesce(r.finished_at, p.created_at) as at, p.former_snapshot_id as former_id, p.wanted_snapshot_id as wanted_id,
      p.target ->> 'tab_id' = ${tab_id} and (p.target ->> 'start_row')::int = ${start_row} as is_here,
      coalesce(get_byte(nullif(substring(p.differing from ${(row >> 3) + 1}::int for 1), ''), 0) & ${1 << (row & 7)}::int, 0) > 0 as differs
    from plans p join runs r on r.id = p.run_id
    where p.task_id = ${task_id} and p.expires_at is null and not p.is_split
      -- Each part of the plan of a split task is about one tab.
      and (p.whole_id is null or p.target ->> 'tab_id' = ${tab_id})
    order by p.id desc limit ${MAX_VERSIONS}`.execute(db)
  let oldest: Version | null = null
  for (const version of versions) {
    const { run_id, at, former_id, wanted_id, is_here, differs } = version
    if (!is_here) break
    if (differs) {
      const wanted = await cellAt(db, wanted_id, row, column)
      // The run has not written it.
      if (wanted !== undefined && wanted !== value) continue
      const former = wanted === undefined ? undefined : await cellAt(db, former_id, row, column)
      if (former !== undefined && former !== wanted)
        return { run_id, at: at.toISOString(), is_exact: true, former }
      if (former === undefined) return { run_id, at: at.toISOString(), is_exact: false, former: null }
    }
    oldest = version
  }
  return oldest && { run_id: oldest.run_id, at: oldest.at.toISOString(), is_exact: false, former: null }
}

/** A cell of a stored table; null where the table ends before it, undefined if its rows are no longer stored. */
async function cellAt(
  db: Db,
  id: number | null,
  row: number,
  column: number,
): Promise<CellValue | undefined> {
  if (id === null) return undefined
  const header = row === 0 ? (await readSnapshot(db, id))?.header : []
  return header && ((await readRow(db, { id, header }, row))?.[column] ?? null)
}
