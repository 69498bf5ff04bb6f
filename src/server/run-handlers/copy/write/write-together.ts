import { type CommitPart, OriginFailure } from '../../../connectors/connector.ts'
import { recordArea } from '../ownership/tab-identity.ts'
import {
  areaOf,
  changeOf,
  forgetPlan,
  type PreparedCopy,
  planRecorder,
  warnOfEdits,
} from './write-difference.ts'

/** A copy whose change is a part of a commit. */
export type PartOfCommit = PreparedCopy & { part: CommitPart }

/** The change of a copy as a part of a commit; null if it can only be written alone. */
export function partOf({ attempt, tables, comparison }: PreparedCopy): CommitPart | null {
  const { difference, formats, rowsAbove } = comparison
  const change = changeOf(attempt, tables, difference, { formats, rowsAbove, isRepair: false })
  return tables.target.asPart?.(change) ?? null
}

/**
 * Writes several tabs of one spreadsheet in one commit, as `writeDifference` writes one. Returns false, with nothing changed, if the
 * provider refuses them together.
 */
export async function writeTogether(copies: readonly PartOfCommit[]): Promise<boolean> {
  const [first, ...others] = copies
  if (!first) return true
  for (const copy of copies) {
    await planRecorder(copy)(copy.part.plan)
    await recordArea(copy.attempt, areaOf(copy))
  }
  const forget = async () => {
    for (const copy of copies) await forgetPlan(copy)
  }
  try {
    const warnings = await first.part.commitWith(others.map(({ part }) => part))
    if (!warnings) await forget()
    for (const [place, { attempt, tables }] of copies.entries())
      await warnOfEdits(attempt, tables, warnings?.[place] ?? null)
    return warnings !== null
  } catch (error) {
    if (error instanceof OriginFailure && error.kind === 'tab_gone') await forget()
    throw error
  }
}
