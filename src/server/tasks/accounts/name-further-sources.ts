import { sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import type { SpreadsheetNames } from './find-spreadsheets.ts'

/** Stores known names of the further sources of sync tasks; missing ones are looked up in the background. */
export async function nameFurtherSources(
  trx: Trx,
  task_ids: readonly number[],
  names: SpreadsheetNames,
): Promise<void> {
  const known = JSON.stringify(Object.fromEntries(names))
  await sql`
    update further_sources s set source_ss_name = known.name
    from jsonb_each_text(${known}::jsonb) as known (id, name)
    where s.task_id = any (${[...task_ids]}::int[]) and s.source_type = 'sheet' and s.source_ss_id = known.id`.execute(
    trx,
  )
}
