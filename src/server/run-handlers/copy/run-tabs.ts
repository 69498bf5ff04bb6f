import { getSpreadsheet } from '../../connectors/google-sheets/api.ts'
import { removeTabs } from '../../connectors/google-sheets/fence-tabs.ts'
import type { Google } from '../../connectors/google-sheets/google.ts'
import { hasTab } from '../../connectors/google-sheets/spreadsheet.ts'
import type { RunContext } from '../../engine/types.ts'
import { count } from '../sentences.ts'
import type { CheckpointKeeper } from './checkpoint-keeper.ts'
import type { Definition } from './definition.ts'
import type { Endpoints } from './endpoints.ts'
import { forgetFence } from './fence.ts'
import { clearTabs, leftOverTabs, strayTabs, tabsOfRun } from './left-over-tabs.ts'

/** Time for taking back what a stopped run has left in the target spreadsheet. */
const CLEAN_UP_MS = 4_000

type Deps = { context: RunContext; google: Google; definition: Definition; keeper: CheckpointKeeper }

/** The hidden tabs that stand in the target's spreadsheet when a run begins, and those it creates itself. */
export class RunTabs {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Whether no commit of an earlier worker can come any more, as far as is on record. */
  async areNone(): Promise<boolean> {
    const { context, definition, keeper } = this.#deps
    const { target_ss_id: spreadsheet_id } = definition
    if (keeper.value.fence) return false
    const which = { spreadsheet_id, run_id: context.run.id, keep: null }
    return (await leftOverTabs(context.db, which)).length === 0
  }

  /**
   * Removes what is left of runs that are over, and of this run's earlier attempts: no commit of theirs that is still on
   * its way can be applied afterwards.
   */
  async removeLeftOvers({ target, session }: Endpoints): Promise<void> {
    const { context, definition, keeper } = this.#deps
    const { db, run, log } = context
    const { target_ss_id: spreadsheet_id } = definition
    const { fence } = keeper.value
    // Where nothing was on record, the other tabs were not asked for.
    if (target.isRead) return
    const tabs = [
      ...(await leftOverTabs(db, { spreadsheet_id, run_id: run.id, keep: fence?.id ?? null })),
      ...(await strayTabs(db, target.hiddenTabs())),
    ]
    const there = new Set(tabs.map(({ sheet_id }) => sheet_id).filter(target.hasFence)).size
    if (there > 0)
      await log('INFO', `Removing ${count(there, 'hidden tab')} that an interrupted run left behind.`)
    await clearTabs(db, session, { spreadsheet_id, tabs, isThere: target.hasFence })
    if (there > 0) await target.refresh()
    if (fence && !target.hasFence(fence.id)) await this.#forgetFence(fence.id)
  }

  /** Removes the fence, and with it what may still come under it. */
  async removeFence({ session }: Endpoints): Promise<void> {
    const { definition, keeper } = this.#deps
    const { fence } = keeper.value
    if (!fence) return
    await removeTabs(session, definition.target_ss_id, [fence.id])
    await this.#forgetFence(fence.id)
  }

  /** Removes what the run has created, or may have, and has no use for at its end. */
  async removeOwn({ target, session }: Endpoints): Promise<void> {
    const { context, definition } = this.#deps
    const tabs = await tabsOfRun(context.db, context.run.id)
    if (tabs.length === 0) return
    await target.refresh()
    const { target_ss_id: spreadsheet_id } = definition
    await clearTabs(context.db, session, { spreadsheet_id, tabs, isThere: target.hasFence })
  }

  /** The same for a run that does not go on. What fails here, the next run in this spreadsheet does, or the sweep. */
  async cleanUp(): Promise<void> {
    const { context, definition, google } = this.#deps
    const { db, run } = context
    const tabs = await tabsOfRun(db, run.id)
    if (tabs.length === 0) return
    const session = await google.cleanUpSession(definition, {
      signal: AbortSignal.timeout(CLEAN_UP_MS),
      label: `run ${run.id}`,
    })
    const { target_ss_id: spreadsheet_id } = definition
    const spreadsheet = await getSpreadsheet(session, spreadsheet_id)
    await clearTabs(db, session, { spreadsheet_id, tabs, isThere: (id) => hasTab(spreadsheet, id) })
  }

  #forgetFence(id: number): Promise<void> {
    const { context, definition, keeper } = this.#deps
    const { target_ss_id } = definition
    return forgetFence({ context, target_ss_id, save: keeper.save.bind(keeper) }, id)
  }
}
