import { sql } from 'kysely'
import type { z } from 'zod'
import type { ErrorName } from '../../../../contract/errors.ts'
import type { SyncTaskCreate } from '../../../../contract/sync-tasks/edits.ts'
import type { Trx } from '../../../platform/db.ts'

/** Finds new tasks whose target belongs to another task, by index, with the name of the error. */
export async function takenTargets(
  trx: Trx,
  bodies: readonly z.output<typeof SyncTaskCreate>[],
): Promise<Map<number, ErrorName>> {
  // Probes sync_tasks_target_key row by row. A join might scan all tasks, because statistics of new rows are missing.
  const { rows } = await sql<{ place: number; same_source: boolean }>`
    select new.place::int as place, taken.same_source
    from unnest(
      ${bodies.map((body) => body.target_ss_id)}::text[], ${bodies.map((body) => body.target_sheet_name)}::text[],
      ${bodies.map((body) => (body.source_type === 'sheet' ? body.source_ss_id : null))}::text[],
      ${bodies.map((body) => body.source_sheet_name)}::text[]
    ) with ordinality as new (target, tab, source, source_tab, place)
    cross join lateral (
      select coalesce(s.source_type = 'sheet' and s.source_ss_id = new.source
        and tab_key(s.source_sheet_name) = tab_key(new.source_tab), false) as same_source
      from sync_tasks s
      where s.target_ss_id = new.target and tab_key(s.target_sheet_name) = tab_key(new.tab) limit 1
    ) taken`.execute(trx)
  return new Map(
    rows.map(({ place, same_source }) => [place - 1, same_source ? 'source_target_taken' : 'target_taken']),
  )
}
