import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../../../../contract/tables.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { checkOwnership } from '../ownership/check-ownership.ts'
import { differingCells } from '../ownership/target-rules.ts'
import { UnownedCellsFinder } from '../ownership/unowned-cells.ts'
import type { Tables } from '../read/read-tables.ts'
import { writtenRows } from '../read/source-copy.ts'
import { applyChange } from '../write/write-difference.ts'
import { matchAgain, placeAgain, verifyMatched } from './verify-matched.ts'

/**
 * Reads the target back and compares it with the copy. Repairs differences once. Throws RunFailure if values are still missing or
 * left over; warns if the provider stores other values. `former`: the header row before the commit, which the target may still show.
 */
export async function verify(attempt: CopyAttempt, tables: Tables, former: Row): Promise<Difference> {
  const { context, definition } = attempt
  const { target, copy } = tables
  for (let repaired = false; ; repaired = true) {
    const { difference, finder } = await readBack(attempt, tables, former)
    if (difference.cells_changed === 0) return difference
    const { matched, plan, before_plan } = tables
    if (matched) return verifyMatched(attempt, tables, matchAgain(attempt, { ...tables, matched }))
    if (plan?.written && before_plan)
      return verifyMatched(
        attempt,
        tables,
        await placeAgain(attempt, tables, { ...plan, written: plan.written }, before_plan),
      )
    const deviating = differingCells(difference, target.address)
    if (repaired) {
      if (difference.cells === null || difference.hasBlanks) {
        throw new RunFailure(`${target.title} does not hold what was written: ${deviating}.`, {
          retryable: true,
        })
      }
      await context.warn({
        kind: 'stored-otherwise',
        subject: deviating,
        message: `${target.provider} stores other values than were written in ${deviating}.`,
      })
      return difference
    }
    await context.log(
      'WARNING',
      `${target.title} does not hold what was written: ${deviating}. Writing again.`,
    )
    // If another editor moved columns during the commit, a repair could overwrite unowned cells that the commit did not reach.
    const owner = { context, definition, target, mayHaveWritten: true }
    await checkOwnership(owner, [{ finder, previousRows: writtenRows(copy) }])
    await applyChange(attempt, tables, difference, { formats: [], rowsAbove: [], isRepair: true })
  }
}

type Verified = { difference: Difference; finder: UnownedCellsFinder }

/** Reads the target until it equals the copy, as often as a read may be stale. */
async function readBack(attempt: CopyAttempt, tables: Tables, former: Row): Promise<Verified> {
  const { context, settings } = attempt
  let verified = await readAndCompare(attempt, tables, former)
  for (const pause of settings.stale_waits_ms) {
    if (verified.difference.cells_changed === 0) break
    // A read directly after a large write can be stale.
    await sleep(pause, undefined, { signal: context.signal }).catch(() => context.signal.throwIfAborted())
    verified = await readAndCompare(attempt, tables, former)
  }
  return verified
}

async function readAndCompare(
  { context, definition }: CopyAttempt,
  { target, copy, owned_columns }: Tables,
  former: Row,
): Promise<Verified> {
  const { start_row } = definition
  const { columns } = copy
  const areas = [copy.header, former].map((header) => ({ start_row, columns, header }))
  const finder = new UnownedCellsFinder({ areas, start_row, columns })
  const difference = await compare({
    context,
    copy,
    target,
    owned_columns,
    prefetch: null,
    phase: 'Verifying',
    before: null,
    finders: [finder],
  })
  return { difference, finder }
}
