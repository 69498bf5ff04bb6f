import { sql } from 'kysely'
import type { Db } from '../../../platform/db.ts'
import type { GoogleSession } from '../client/session.ts'
import { removeTabs } from './tab-requests.ts'

/** A staging tab that no run uses. `seen`: it existed once, so if it is missing now it cannot appear any more. */
export type AbandonedTab = { sheet_id: number; seen: boolean }

/** Recorded staging tabs that no run uses: of ended runs, and of this run all but `keep`. */
export async function abandonedTabs(
  db: Db,
  { spreadsheet_id, run_id, keep }: { spreadsheet_id: string; run_id: number | null; keep: number | null },
): Promise<AbandonedTab[]> {
  return db
    .selectFrom('staging_tabs')
    .leftJoin('runs', 'runs.id', 'staging_tabs.run_id')
    .select(['sheet_id', 'seen'])
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('sheet_id', 'is distinct from', keep)
    .where((eb) =>
      eb.or([
        eb('runs.id', 'is', null),
        eb('runs.finished_at', 'is not', null),
        eb('staging_tabs.run_id', '=', run_id),
      ]),
    )
    .execute()
}

/** Recorded staging tabs of a run. */
export async function tabsOfRun(db: Db, run_id: number): Promise<AbandonedTab[]> {
  return db.selectFrom('staging_tabs').select(['sheet_id', 'seen']).where('run_id', '=', run_id).execute()
}

/**
 * Tabs with staging titles that no run uses, recorded or not: their run ended an hour ago or was pruned. A run id
 * beyond all known ones belongs to a copy of this database.
 */
export async function unrecordedAbandonedTabs(
  db: Db,
  hidden: { id: number; run_id: number }[],
): Promise<AbandonedTab[]> {
  if (hidden.length === 0) return []
  const { rows } = await sql<{ sheet_id: number }>`
    select tab.id as sheet_id
    from unnest(${hidden.map(({ id }) => id)}::int[], ${hidden.map(({ run_id }) => run_id)}::bigint[]) as tab (id, run_id)
    left join runs on runs.id = tab.run_id
    where case when runs.id is null then tab.run_id < (select max(id) from runs)
      else runs.finished_at < now() - interval '1 hour' end`.execute(db)
  return rows.map(({ sheet_id }) => ({ sheet_id, seen: true }))
}

/**
 * Deletes the tabs that exist. A tab's record is deleted when it certainly cannot appear any more; the creation of a
 * tab that was never seen may still be in flight.
 */
export async function deleteTabs(
  db: Db,
  session: GoogleSession,
  {
    spreadsheet_id,
    tabs,
    isThere,
  }: { spreadsheet_id: string; tabs: AbandonedTab[]; isThere: (id: number) => boolean },
): Promise<void> {
  const there = tabs.map(({ sheet_id }) => sheet_id).filter(isThere)
  if (there.length > 0) await removeTabs(session, spreadsheet_id, there)
  const gone = tabs.flatMap(({ sheet_id, seen }) => (seen || there.includes(sheet_id) ? [sheet_id] : []))
  await forgetTabs(db, spreadsheet_id, gone)
}

export async function forgetTabs(db: Db, spreadsheet_id: string, sheet_ids: number[]): Promise<void> {
  if (sheet_ids.length === 0) return
  await db
    .deleteFrom('staging_tabs')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('sheet_id', 'in', sheet_ids)
    .execute()
}
