import type { RunResult } from '../../engine/types.ts'
import type { CopyAttempt } from './attempt.ts'
import { compareTables } from './compare/compare-tables.ts'
import { requireWithinLimits } from './limits/require-within-limits.ts'
import { readTables } from './read/read-tables.ts'
import { copyResult } from './result/copy-result.ts'
import { warnOfPutBack } from './result/verify-matched.ts'
import { type PreparedCopy, writeDifference } from './write/write-difference.ts'

/**
 * Executes one attempt at a copy on one worker, from the first request to the receipt. Throws RunFailure, OriginFailure or the abort
 * reason of the signal.
 */
export async function executeCopy(attempt: CopyAttempt): Promise<RunResult> {
  const copy = await prepareCopy(attempt)
  const { tables, comparison } = copy
  try {
    await warnOfPutBack(attempt, tables.target, tables.matched?.put_back ?? [])
    if (!comparison.isUpToDate && !isPlanWritten(copy)) await writeDifference(copy)
    return await copyResult(attempt, tables, comparison)
  } finally {
    await tables.close()
  }
}

/** The steps of a copy before its commit. Its tables have to be closed. Throws as `executeCopy`. */
export async function prepareCopy(attempt: CopyAttempt): Promise<PreparedCopy> {
  const tables = await readTables(attempt)
  try {
    const comparison = await compareTables(attempt, tables)
    const key_column = comparison.isUpToDate ? null : await requireWithinLimits(attempt, tables, comparison)
    return { attempt, tables, comparison, key_column }
  } catch (error) {
    await tables.close()
    throw error
  }
}

/**
 * Whether an earlier worker has written a plan of matched rows, and people have edited the target since: what is missing is then found by key
 * when the target is verified, because rows may have been sorted.
 */
const isPlanWritten = ({ tables: { before_plan, plan }, comparison }: PreparedCopy): boolean =>
  comparison.mayHaveWritten && before_plan !== null && plan?.target_hash !== comparison.difference.target_hash
