import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../platform/db.ts'
import { OriginFailure } from '../../connector.ts'
import { getSpreadsheet } from '../client/api.ts'
import type { Google } from '../google.ts'
import { hasTab } from '../spreadsheet.ts'
import { abandonedTabs, deleteTabs, forgetTabs, unrecordedAbandonedTabs } from './abandoned-tabs.ts'
import { installationId } from './installation.ts'
import { runOfTab } from './tab-requests.ts'

// The accounts in a run's definition.
const Accounts = z.object({
  account_user_id: z.int().nullable(),
  relevant_user_accounts: z.array(z.string()),
})

const CLEAN_UP_TIMEOUT_MS = 4_000

/**
 * Deletes staging tabs of ended runs, from a minute after the run's end on. A tab that was never seen is looked for
 * with growing pauses for an hour, since its creation may still be in flight. A spreadsheet that cannot be opened is
 * retried without limit, with growing pauses.
 */
export async function cleanUpStagingTabs(db: Db, google: Google): Promise<void> {
  const signal = AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS)
  const installation = await installationId(db)
  for (let due = await nextDue(db); due; due = await nextDue(db)) {
    const { spreadsheet_id, sheet_id, definition, last } = due
    try {
      const session = await google.cleanUpSession(Accounts.parse(definition), { signal, label: 'sweep' })
      const spreadsheet = await getSpreadsheet(session, spreadsheet_id)
      const titled = spreadsheet.tabs.flatMap((tab) => {
        const run_id = runOfTab(tab, installation)
        return run_id === null ? [] : [{ id: tab.sheet_id, run_id }]
      })
      const tabs = [
        ...(await abandonedTabs(db, { spreadsheet_id, run_id: null, keep: null })),
        ...(await unrecordedAbandonedTabs(db, titled)),
      ]
      await deleteTabs(db, session, { spreadsheet_id, tabs, isThere: (id) => hasTab(spreadsheet, id) })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof OriginFailure)) throw error
      // Without its spreadsheet the tab does not exist.
      if (error.kind !== 'not_found') continue
    }
    if (last) await forgetTabs(db, spreadsheet_id, [sheet_id])
  }
}

type Due = { spreadsheet_id: string; sheet_id: number; definition: unknown; last: boolean }

/**
 * Claims the tab that is due longest, so that no other process handles it; its pause doubles each time. Null if none
 * is due.
 */
async function nextDue(db: Db): Promise<Due | null> {
  const { rows } = await sql<Due>`
    with due as (
      select spreadsheet_id, sheet_id, definition, now() - greatest(t.created_at, finished_at) as age
      from staging_tabs t join runs on runs.id = t.run_id
      where finished_at is not null
        and coalesce(next_look_at, greatest(t.created_at, finished_at) + interval '1 minute') <= now()
      order by next_look_at nulls first limit 1 for update of t skip locked
    )
    update staging_tabs t set next_look_at = now() + age from due
    where t.spreadsheet_id = due.spreadsheet_id and t.sheet_id = due.sheet_id
    returning t.spreadsheet_id, t.sheet_id, definition, age >= interval '1 hour' as last`.execute(db)
  return rows[0] ?? null
}
