import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import type { RunResult } from '../../../engine/types.ts'
import type { CopyAttempt } from '../attempt.ts'
import { prepareCopy } from '../copy-run.ts'
import { copyResult } from '../result/copy-result.ts'
import { type PreparedCopy, writeDifference } from '../write/write-difference.ts'
import { type PartOfCommit, partOf, writeTogether } from '../write/write-together.ts'

type Deps<Tab> = {
  attempt: CopyAttempt
  attemptOfTab: (tab: Tab) => Promise<CopyAttempt>
  /** Stores that a tab is done. */
  finish: (tab: Tab, result: RunResult) => Promise<void>
}

/**
 * Copies tabs so that all of them change in one commit. Returns false if their differences do not fit one: only tabs without differences are
 * done then. Throws as `executeCopy`; no tab was changed, unless the commit was sent.
 */
export async function copyTogether<Tab>(tabs: readonly Tab[], deps: Deps<Tab>): Promise<boolean> {
  const prepared: { tab: Tab; copy: PreparedCopy }[] = []
  const parts: PartOfCommit[] = []
  try {
    for (const tab of tabs) {
      const copy = await prepareCopy(await deps.attemptOfTab(tab))
      const { attempt, tables, comparison } = copy
      prepared.push({ tab, copy })
      if (comparison.isUpToDate) {
        prepared.pop()
        await tables.close()
        await deps.finish(tab, await copyResult(attempt, tables, comparison))
        continue
      }
      const part = partOf(copy)
      if (part) parts.push({ ...copy, part })
      // A single tab fits its own commit in any case.
      if (prepared.length > 1 && (parts.length < prepared.length || fractionOf(parts) > 1)) return false
    }
    const [only] = prepared
    if (prepared.length === 1 && only) await writeDifference(only.copy)
    else if (prepared.length > 1) {
      await deps.attempt.context.log('INFO', messages.together(prepared.length))
      if (!(await writeTogether(parts))) return false
    }
    for (const { tab, copy } of prepared)
      await deps.finish(tab, await copyResult(copy.attempt, copy.tables, copy.comparison))
    return true
  } finally {
    for (const { copy } of prepared) await copy.tables.close()
  }
}

/** The capacity of one commit that parts take. */
const fractionOf = (parts: readonly PartOfCommit[]) => parts.reduce((sum, { part }) => sum + part.fraction, 0)
