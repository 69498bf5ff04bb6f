import { sql } from 'kysely'
import { OriginFailure } from '../../connectors/connector.ts'
import type { Google } from '../../connectors/google-sheets/google.ts'
import type { GoogleSession } from '../../connectors/google-sheets/session.ts'
import { removeStaging } from '../../connectors/google-sheets/staging.ts'
import type { Db } from '../../engine/types.ts'
import { Definition } from './definition.ts'

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

// Long enough for a run that has just ended to have tidied up after itself.
const SWEEP_AFTER_SECONDS = 60
const SWEEP_MS = 4_000

/**
 * Removes hidden tabs that runs left behind which are over, such as one whose worker died and that was stopped before
 * another took it over. What cannot be reached now stays on record for the next time.
 */
export async function sweepTabs(db: Db, google: Google): Promise<void> {
  const tabs = await db
    .selectFrom('staging_tabs')
    .innerJoin('runs', 'runs.id', 'staging_tabs.run_id')
    .select(['spreadsheet_id', 'sheet_id', 'definition'])
    .where('runs.state', 'not in', ['queued', 'running', 'stopping'])
    .where('runs.updated_at', '<', sql<Date>`now() - make_interval(secs => ${SWEEP_AFTER_SECONDS})`)
    .execute()
  const signal = AbortSignal.timeout(SWEEP_MS)
  for (const { spreadsheet_id, sheet_id, definition } of tabs) {
    try {
      const session = await google.cleanUpSession(Definition.parse(definition), { signal, label: 'tidy' })
      await discardTabs(db, session, spreadsheet_id, [sheet_id])
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof OriginFailure)) throw error
      // The spreadsheet itself is gone, and the tab with it.
      if (error.kind === 'not_found') await forget(db, spreadsheet_id, sheet_id)
    }
  }
}

async function forget(db: Db, spreadsheetId: string, sheetId: number): Promise<void> {
  await db
    .deleteFrom('staging_tabs')
    .where('spreadsheet_id', '=', spreadsheetId)
    .where('sheet_id', '=', sheetId)
    .execute()
}
