import { setTimeout as sleep } from 'node:timers/promises'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
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
import { verifyMatched } from './verify-matched.ts'

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
    if (tables.matched) return verifyMatched(attempt, { ...tables, matched: tables.matched })
    const deviating = differingCells(difference, target.address)
    const planned = tables.plan?.written ?? null
    if (planned && areOnlyOthers(tables, planned, difference)) return difference
    if (repaired || planned) {
      if (difference.cells === null || difference.hasBlanks) {
        throw new RunFailure(`${target.title} does not hold what was written: ${deviating}.`, {
          // Another attempt would write the plan by places, too.
          retryable: planned === null,
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

/**
 * Whether only cells of other editors are not as a plan of matched rows wanted them. A repair by places could move cells against their rows,
 * so there is none. Throws RunFailure if other rows stand in the places of the plan.
 */
function areOnlyOthers(
  { target }: Pick<Tables, 'target'>,
  { columns, keys }: NonNullable<NonNullable<Tables['plan']>['written']>,
  difference: Difference,
): boolean {
  const differing = new Set<number>()
  const { cells } = difference
  for (let index = 0; index < (cells?.length ?? 0); index += 1) differing.add(cells?.columnOf(index) ?? 0)
  if (cells === null || keys.some((column) => differing.has(column)))
    throw new RunFailure(messages.plan_rows_moved(target.title, differingCells(difference, target.address)), {
      retryable: false,
    })
  return !columns.some((column) => differing.has(column))
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
