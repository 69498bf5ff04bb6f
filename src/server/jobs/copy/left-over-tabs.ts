import type { GoogleSession } from '../../connectors/google-sheets/session.ts'
import { removeStaging } from '../../connectors/google-sheets/staging.ts'
import type { Db } from '../../engine/types.ts'

/**
 * Staging tabs in a spreadsheet that nobody works with any more: of runs that are over, and of this run but the one
 * it goes on with.
 */
export async function leftOverTabs(
  db: Db,
  { spreadsheet_id, run_id, keep }: { spreadsheet_id: string; run_id: number; keep: number | null },
): Promise<number[]> {
  const rows = await db
    .selectFrom('staging_tabs')
    .leftJoin('runs', 'runs.id', 'staging_tabs.run_id')
    .select('sheet_id')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('sheet_id', 'is distinct from', keep)
    .where((eb) =>
      eb.or([
        eb('runs.id', 'is', null),
        eb('runs.state', 'not in', ['queued', 'running', 'stopping']),
        eb('staging_tabs.run_id', '=', run_id),
      ]),
    )
    .execute()
  return rows.map(({ sheet_id }) => sheet_id)
}

/** Removes staging tabs from a spreadsheet, and then what the database knows of them. */
export async function discardTabs(
  db: Db,
  session: GoogleSession,
  spreadsheetId: string,
  ids: number[],
): Promise<void> {
  if (ids.length === 0) return
  await removeStaging(session, spreadsheetId, ids)
  await db
    .deleteFrom('staging_tabs')
    .where('spreadsheet_id', '=', spreadsheetId)
    .where('sheet_id', 'in', ids)
    .execute()
}

/** Forgets the tabs of a run that is over, which its commit has removed. */
export async function forgetTabs(
  db: Db,
  { spreadsheet_id, run_id }: { spreadsheet_id: string; run_id: number },
): Promise<void> {
  await db
    .deleteFrom('staging_tabs')
    .where('spreadsheet_id', '=', spreadsheet_id)
    .where('run_id', '=', run_id)
    .execute()
}
