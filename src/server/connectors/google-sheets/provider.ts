import type { Db } from '../../platform/db.ts'
import type { TableProvider, TableReference } from '../table-provider.ts'
import type { Google } from './google.ts'
import { openSource } from './read/source.ts'
import { sheetIdOf } from './spreadsheet.ts'
import { cleanUpStagingTabs } from './staging/clean-up.ts'
import { removeTabsOfRun } from './staging/run-tabs.ts'
import { openTarget } from './write/target.ts'

/** Google Sheets as a provider of tables. A reference's `place` is the tab's id. */
export function googleSheets(db: Db, google: Google): TableProvider {
  return {
    openSource: async (reference, { chunk_size, at_once, ...context }) =>
      openSource(await context.google(), { ...tabOf(reference), chunk_size, at_once }),
    openTarget: async (reference, context) =>
      openTarget(db, await context.google(), tabOf(reference), context),
    places: google.places,
    cleanUp: ({ spreadsheet_id }, run) => removeTabsOfRun({ db, google }, { ...run, spreadsheet_id }),
    sweep: () => cleanUpStagingTabs(db, google),
  }
}

const tabOf = ({ spreadsheet_id, place, sheet_name, start_row }: TableReference) => ({
  spreadsheet_id,
  sheet_id: sheetIdOf(place),
  sheet_name,
  start_row,
})
