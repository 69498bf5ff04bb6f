import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { RunResult } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import type { CopyAttempt } from '../attempt.ts'
import { prepareCopy } from '../copy-run.ts'
import { copyResult } from '../result/copy-result.ts'
import { type PreparedCopy, writeDifference } from '../write/write-difference.ts'
import { type PartOfCommit, partOf, writeTogether } from '../write/write-together.ts'
import { CheckedTabs } from './check-tabs.ts'

type Deps<Tab> = {
  attempt: CopyAttempt
  attemptOf: (tab: Tab) => Promise<CopyAttempt>
  /**
   * Fails the run, before anything is written, if all tabs together are beyond limits. Returns the key by which rows are matched; null: each
   * tab has its own.
   */
  requireWithinLimits: (tabs: CheckedTabs) => Promise<{ key_column: KeyColumn } | null>
  /** Stores that a tab is done. */
  finish: (tab: Tab, result: RunResult) => Promise<void>
}

type Prepared<Tab> = { tab: Tab; copy: PreparedCopy }

/**
 * Compares all tabs, and copies them so that all change in one commit. Returns false if their differences do not fit one: only tabs without
 * differences are done then. Throws as `executeCopy`; no tab was changed, unless the commit was sent.
 */
export async function copyTogether<Tab>(tabs: readonly Tab[], deps: Deps<Tab>): Promise<boolean> {
  const checked = new CheckedTabs(deps.attempt)
  const prepared: Prepared<Tab>[] = []
  const parts: PartOfCommit[] = []
  let fits = true
  try {
    for (const tab of tabs) {
      const copy = await prepareCopy(await deps.attemptOf(tab))
      const { attempt, tables, comparison } = copy
      prepared.push({ tab, copy })
      await checked.add(copy)
      if (comparison.isUpToDate) {
        prepared.pop()
        await tables.close()
        await deps.finish(tab, await copyResult(attempt, tables, comparison))
        continue
      }
      const part = fits ? partOf(copy) : null
      if (part) parts.push({ ...copy, part })
      // A single tab fits its own commit in any case.
      fits &&= prepared.length === 1 || (parts.length === prepared.length && fractionOf(parts) <= 1)
      // The others are compared all the same, because nothing is written before all of them are checked.
      if (!fits) await closeAll(prepared.splice(0))
    }
    const key = await deps.requireWithinLimits(checked)
    if (!fits) return false
    const [only] = prepared
    if (prepared.length === 1 && only) await writeDifference({ ...only.copy, ...key })
    else if (prepared.length > 1) {
      await deps.attempt.context.log('INFO', messages.together(prepared.length))
      if (!(await writeTogether(parts.map((part) => ({ ...part, ...key }))))) return false
    }
    for (const { tab, copy } of prepared)
      await deps.finish(tab, await copyResult(copy.attempt, copy.tables, copy.comparison))
    return true
  } finally {
    await closeAll(prepared)
  }
}

async function closeAll<Tab>(prepared: readonly Prepared<Tab>[]): Promise<void> {
  for (const { copy } of prepared) await copy.tables.close()
}

/** The capacity of one commit that parts take. */
const fractionOf = (parts: readonly PartOfCommit[]) => parts.reduce((sum, { part }) => sum + part.fraction, 0)
