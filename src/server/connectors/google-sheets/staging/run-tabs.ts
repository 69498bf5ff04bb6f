import type { Db } from '../../../platform/db.ts'
import type { TargetContext } from '../../target-context.ts'
import type { AllowedAccounts } from '../client/accounts.ts'
import { getSpreadsheet } from '../client/api.ts'
import type { GoogleSession } from '../client/session.ts'
import type { Google } from '../google.ts'
import { hasTab } from '../spreadsheet.ts'
import type { TargetTab } from '../write/target-tab.ts'
import { abandonedTabs, deleteTabs, tabsOfRun, unrecordedAbandonedTabs } from './abandoned-tabs.ts'
import type { TargetCheckpoint } from './checkpoint.ts'
import { forgetStagingTab } from './staging-tab.ts'
import { removeTabs } from './tab-requests.ts'

/** Time for cleaning up after a stopped run. */
const CLEAN_UP_TIMEOUT_MS = 4_000

type Deps = {
  db: Db
  session: GoogleSession
  spreadsheet_id: string
  context: TargetContext
  checkpoint: TargetCheckpoint
}

/** The staging tabs that a run finds in the target's spreadsheet, and its own. */
export class RunStagingTabs {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether no staging tab is recorded, so that no commit of an earlier worker can be applied any more. */
  async areNone(): Promise<boolean> {
    const { db, spreadsheet_id, context, checkpoint } = this.#deps
    if (checkpoint.value.staging_tab) return false
    return (await abandonedTabs(db, { spreadsheet_id, run_id: context.run_id, keep: null })).length === 0
  }

  /**
   * Deletes abandoned staging tabs of ended runs and of this run's earlier attempts. Commits of theirs that are in
   * flight can no longer be applied.
   */
  async removeAbandoned(tab: TargetTab): Promise<void> {
    const { db, session, spreadsheet_id, context, checkpoint } = this.#deps
    const { run_id } = context
    const { staging_tab } = checkpoint.value
    // Nothing was recorded, so the other tabs were not listed.
    if (tab.isRead) return
    const tabs = [
      ...(await abandonedTabs(db, { spreadsheet_id, run_id, keep: staging_tab?.id ?? null })),
      ...(await unrecordedAbandonedTabs(db, tab.view.stagingTabs(tab.owner.installation))),
    ]
    const there = new Set(tabs.map(({ sheet_id }) => sheet_id).filter(tab.view.hasTab)).size
    const hidden = there === 1 ? '1 staging tab' : `${there.toLocaleString('en')} staging tabs`
    if (there > 0) await context.log(`Removing ${hidden} that an interrupted run left behind.`)
    await deleteTabs(db, session, { spreadsheet_id, tabs, isThere: tab.view.hasTab })
    if (there > 0) await tab.view.refresh()
    if (staging_tab && !tab.view.hasTab(staging_tab.id)) await forgetStagingTab(this.#deps, staging_tab.id)
  }

  /** Deletes the attempt's staging tab, and with it all requests in flight that depend on it. */
  async removeStagingTab(): Promise<void> {
    const { session, spreadsheet_id, checkpoint } = this.#deps
    const { staging_tab } = checkpoint.value
    if (!staging_tab) return
    await removeTabs(session, spreadsheet_id, [staging_tab.id])
    await forgetStagingTab(this.#deps, staging_tab.id)
  }

  /** Deletes staging tabs that the run has created or may have created. */
  async removeOwn(tab: TargetTab): Promise<void> {
    const { db, session, spreadsheet_id, context } = this.#deps
    const tabs = await tabsOfRun(db, context.run_id)
    if (tabs.length === 0) return
    await tab.view.refresh()
    await deleteTabs(db, session, { spreadsheet_id, tabs, isThere: tab.view.hasTab })
  }
}

/**
 * Deletes the staging tabs of a run that does not continue. If this fails, the next run in the spreadsheet or the
 * periodic clean-up does it.
 */
export async function removeTabsOfRun(
  { db, google }: { db: Db; google: Google },
  { run_id, spreadsheet_id, accounts }: { run_id: number; spreadsheet_id: string; accounts: AllowedAccounts },
): Promise<void> {
  const tabs = await tabsOfRun(db, run_id)
  if (tabs.length === 0) return
  const signal = AbortSignal.timeout(CLEAN_UP_TIMEOUT_MS)
  const session = await google.cleanUpSession(accounts, { signal, label: `run ${run_id}` })
  const spreadsheet = await getSpreadsheet(session, spreadsheet_id)
  await deleteTabs(db, session, { spreadsheet_id, tabs, isThere: (id) => hasTab(spreadsheet, id) })
}
