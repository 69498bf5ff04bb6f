import type { Db } from '../../../platform/db.ts'
import type { FreshTarget, ReadableTarget, Target, WritableTarget } from '../../connector.ts'
import type { TargetContext } from '../../target-context.ts'
import { cellAddress, columnLetters } from '../a1.ts'
import type { GoogleSession } from '../client/session.ts'
import { isSmallTable } from '../read/grid.ts'
import type { TabName } from '../spreadsheet.ts'
import { TargetCheckpoint } from '../staging/checkpoint.ts'
import { installationId } from '../staging/installation.ts'
import { PrestageJob } from '../staging/prestage.ts'
import { RunStagingTabs } from '../staging/run-tabs.ts'
import { reportStagingProgress } from '../staging/stage-rows.ts'
import { applyChange } from './apply-change.ts'
import { cellCounter } from './cell-requests.ts'
import { TabPart } from './commit-together.ts'
import { openTab } from './target-tab.ts'

/** Google's limit of characters per cell, in UTF-16 units. */
const CELL_CHARACTERS = 50_000

/** A tab, which may not exist yet; `start_row`: header row, counted from 1. */
export type SheetTarget = TabName & { spreadsheet_id: string; start_row: number }

/** Opens a tab as the target of a run. Throws OriginFailure. */
export async function openTarget(
  db: Db,
  session: GoogleSession,
  wanted: SheetTarget,
  context: TargetContext,
): Promise<Target> {
  const { spreadsheet_id } = wanted
  const checkpoint = new TargetCheckpoint(context)
  const staging_tabs = new RunStagingTabs({ db, session, spreadsheet_id, context, checkpoint })
  const at_once = isSmallTable(context.former_cells) && (await staging_tabs.areNone())
  const tab = await openTab(session, {
    ...wanted,
    chunk_size: context.chunk_size,
    new_sheet_id: checkpoint.value.new_sheet_id,
    filled: context.filled,
    owner: { installation: await installationId(db), run_id: context.run_id },
    commit_signal: context.commit_signal,
    at_once,
  })
  const { view, reader } = tab
  // Save the id first, so that a worker that resumes this run creates the same tab.
  if (!view.tab.exists) await checkpoint.save({})
  const { commitBytes, requestBytes } = session.settings
  const requestSize = { chunk_size: context.chunk_size, bytes: requestBytes }
  const stage = { tab, spreadsheet_id, context, checkpoint, requestSize }

  const readable: ReadableTarget = {
    title: view.title,
    warnings: tab.warnings,
    provider: 'Google',
    cell_characters: CELL_CHARACTERS,
    identity: () => ({
      spreadsheet_name: view.spreadsheet.title,
      sheet_name: view.tab.title,
      tab_id: String(view.tab.sheet_id),
    }),
    isRead: tab.isRead,
    read: reader.read,
    readBeside: reader.readBeside,
    formulas: reader.formulas,
    readFormats: reader.readFormats,
    address: (row, column) => cellAddress(view.start_row + row, column),
    columnName: columnLetters,
    isWritePending: async () => !(await staging_tabs.areNone()),
    countCells: (table) => cellCounter(table, { isFiltered: view.tab.filter !== undefined, commitBytes }),
  }

  /** `prestage`: returns the job that stages rows while the source is read, if there is one. */
  function writable(prestage: () => PrestageJob | null): WritableTarget {
    let changes = 0
    return {
      ...readable,
      async apply(change, onPlan) {
        const job = prestage()
        await job?.complete(reportStagingProgress(context, change.rows))
        // A staged copy needs room beside the other tabs, whose sizes may be unknown.
        if (changes > 0 || (tab.isRead && !change.cells && !job?.hasStagingTab)) await view.refresh()
        changes += 1
        return applyChange({ ...stage, staging_tabs }, change, onPlan)
      },
      asPart(change) {
        if (!change.cells || change.within) return null
        changes += 1
        return new TabPart({ ...stage, staging_tabs }, change, change.cells)
      },
      async cleanUp() {
        await prestage()?.end()
        await staging_tabs.removeOwn(tab)
      },
    }
  }

  function freshTarget(): FreshTarget {
    let prestage: PrestageJob | null = null
    return {
      ...writable(() => prestage),
      prestage(table) {
        if (!reader.isBlank) return null
        const job = new PrestageJob({ ...stage, commitBytes }, table)
        prestage = job
        return {
          end: () => job.end(),
          async discard() {
            await job.end()
            prestage = null
            await staging_tabs.removeStagingTab()
          },
        }
      },
    }
  }

  return {
    ...readable,
    async begin() {
      await staging_tabs.removeAbandoned(tab)
      await staging_tabs.removeStagingTab()
      return freshTarget()
    },
    async resume() {
      await staging_tabs.removeAbandoned(tab)
      return writable(() => null)
    },
  }
}
