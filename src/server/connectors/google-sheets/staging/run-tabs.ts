import type { Db } from '../../../platform/db.ts'
import type { TargetContext } from '../../target-context.ts'
import type { AllowedAccounts } from '../client/accounts.ts'
import { getSpreadsheet } from '../client/api.ts'
import type { GoogleSession } from '../client/session.ts'
import type { Google } from '../google.ts'
import { hasTab } from '../spreadsheet.ts'
import type { TargetTab } from '../write/target-tab.ts'
import { clearTabs, leftOverTabs, strayTabs, tabsOfRun } from './abandoned-tabs.ts'
import type { TargetCheckpoint } from './checkpoint.ts'
import { forgetFence } from './staging-tab.ts'
import { removeTabs } from './tab-requests.ts'

/** Time for taking back what a stopped run has left in the target spreadsheet. */
const CLEAN_UP_MS = 4_000

type Deps = {
  db: Db
  session: GoogleSession
  spreadsheet_id: string
  context: TargetContext
  checkpoint: TargetCheckpoint
}

/** The hidden tabs that stand in the target's spreadsheet when a run begins, and those it creates itself. */
export class RunTabs {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether no commit of an earlier worker can come any more, as far as is on record. */
  async areNone(): Promise<boolean> {
    const { db, spreadsheet_id, context, checkpoint } = this.#deps
    if (checkpoint.value.fence) return false
    return (await leftOverTabs(db, { spreadsheet_id, run_id: context.run_id, keep: null })).length === 0
  }

  /**
   * Removes what is left of runs that are over, and of this run's earlier attempts: no commit of theirs that is still on
   * its way can be applied afterwards.
   */
  async removeLeftOvers(tab: TargetTab): Promise<void> {
    const { db, session, spreadsheet_id, context, checkpoint } = this.#deps
    const { run_id } = context
    const { fence } = checkpoint.value
    // Where nothing was on record, the other tabs were not asked for.
    if (tab.isRead) return
    const tabs = [
      ...(await leftOverTabs(db, { spreadsheet_id, run_id, keep: fence?.id ?? null })),
      ...(await strayTabs(db, tab.hiddenTabs())),
    ]
    const there = new Set(tabs.map(({ sheet_id }) => sheet_id).filter(tab.hasFence)).size
    const hidden = there === 1 ? '1 hidden tab' : `${there.toLocaleString('en')} hidden tabs`
    if (there > 0) await context.log(`Removing ${hidden} that an interrupted run left behind.`)
    await clearTabs(db, session, { spreadsheet_id, tabs, isThere: tab.hasFence })
    if (there > 0) await tab.refresh()
    if (fence && !tab.hasFence(fence.id)) await forgetFence(this.#deps, fence.id)
  }

  /** Removes the fence, and with it what may still come under it. */
  async removeFence(): Promise<void> {
    const { session, spreadsheet_id, checkpoint } = this.#deps
    const { fence } = checkpoint.value
    if (!fence) return
    await removeTabs(session, spreadsheet_id, [fence.id])
    await forgetFence(this.#deps, fence.id)
  }

  /** Removes what the run has created, or may have, and has no use for at its end. */
  async removeOwn(tab: TargetTab): Promise<void> {
    const { db, session, spreadsheet_id, context } = this.#deps
    const tabs = await tabsOfRun(db, context.run_id)
    if (tabs.length === 0) return
    await tab.refresh()
    await clearTabs(db, session, { spreadsheet_id, tabs, isThere: tab.hasFence })
  }
}

/** Removes what a run has created that does not go on. What fails here, the next run in this spreadsheet does, or the sweep. */
export async function removeTabsOfRun(
  { db, google }: { db: Db; google: Google },
  { run_id, spreadsheet_id, accounts }: { run_id: number; spreadsheet_id: string; accounts: AllowedAccounts },
): Promise<void> {
  const tabs = await tabsOfRun(db, run_id)
  if (tabs.length === 0) return
  const signal = AbortSignal.timeout(CLEAN_UP_MS)
  const session = await google.cleanUpSession(accounts, { signal, label: `run ${run_id}` })
  const spreadsheet = await getSpreadsheet(session, spreadsheet_id)
  await clearTabs(db, session, { spreadsheet_id, tabs, isThere: (id) => hasTab(spreadsheet, id) })
}
