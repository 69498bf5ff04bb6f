import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { CellPlace, ReadableTarget } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import { arrangeTables, type Matched } from '../arrange/arrange-tables.ts'
import { placePlanned } from '../arrange/place-planned.ts'
import { nothingToRestore, type Restored, restoreRows } from '../arrange/restore-rows.ts'
import { readCommit, storedCommit, storedRows } from '../arrange/stored-commit.ts'
import type { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { BeforeImage } from '../compare/before-image.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'
import { changedColumns, type StoredPlan } from '../plan/stored-plan.ts'
import type { Tables } from '../read/read-tables.ts'
import { applyChange } from '../write/write-difference.ts'

/** Maximum number of times that rows are matched again after a commit. */
const MAX_ROUNDS = 4

/** Makes the wanted rows again, from the present rows of the target as `restore` returns them. */
type Again = (restore: (now: TargetRows) => Restored) => Promise<Arranged>

/** `copy`: the rows that the target is to hold. `prefetch`: its present rows. */
type Arranged = Pick<Tables, 'copy'> &
  Pick<Matched, 'isOthers' | 'written' | 'restoring' | 'put_back'> &
  Partial<Pick<Tables, 'matched' | 'plan'>> & { prefetch: TargetRows }

/**
 * Repairs a target with matched rows that another editor sorted or edited during the commit: restores the cells that the commit overwrote,
 * matches the rows again and writes what differs. Repeats that if the target was edited during the repair, too. Throws RunFailure if the
 * target keeps changing.
 */
export async function verifyMatched(attempt: CopyAttempt, tables: Tables, again: Again): Promise<Difference> {
  const { context, settings, keeper } = attempt
  const { target, owned_columns, last } = tables
  for (let round = 1; ; round += 1) {
    const { row_commit } = keeper.value
    const commit = row_commit && (await readCommit(context.db, row_commit))
    const arranged = await again((now) => (commit ? restoreRows(commit, now) : nothingToRestore(now)))
    const { copy, prefetch, put_back } = arranged
    const before = new BeforeImage(context, settings.pool, last)
    const difference = await compare({
      ...{ context, copy, target, prefetch, before, finders: [], owned_columns, phase: 'Verifying' },
    })
    if (difference.cells_changed === 0) return difference
    if (round === MAX_ROUNDS)
      throw new RunFailure(
        messages.keeps_changing(target.title, differingCells(difference, target.address)),
        { retryable: true },
      )
    await warnOfPutBack(attempt, target, put_back)
    await context.log('WARNING', messages.moved(target.title, differingCells(difference, target.address)))
    const options = { formats: [], rowsAbove: [], isRepair: false }
    await applyChange(attempt, { ...tables, ...arranged }, difference, options, async ({ mode }) => {
      const snapshot_id = await before.complete(difference, copy)
      const former = { snapshot_id, header: difference.target_header }
      await keeper.save({
        row_commit: storedCommit({ ...arranged, rows: prefetch, before: former, mode }),
      })
    })
  }
}

/** Warns of cells of other editors that the next commit restores. Called before that commit, so that the warning is stored even if the worker ends. */
export async function warnOfPutBack(
  { context }: CopyAttempt,
  { title, address }: Pick<ReadableTarget, 'title' | 'address'>,
  put_back: readonly CellPlace[],
): Promise<void> {
  if (put_back.length === 0) return
  const cells = put_back.map(({ row, column }) => address(row, column))
  await context.warn({ kind: 'sorted', subject: title, message: messages.put_back(title, cells) })
}

/** Matches the rows of a run again. */
export const matchAgain =
  (attempt: CopyAttempt, tables: Tables & { matched: Matched }): Again =>
  async (restore) => {
    const { matched, copy } = tables
    const arranged = await arrangeTables(attempt, { ...tables, copy: matched.source }, restore, copy)
    return { ...arranged.matched, ...arranged }
  }

/** Finds the rows of a plan again. `before`: the target's rows before the plan was written. */
export async function placeAgain(
  attempt: CopyAttempt,
  tables: Tables,
  plan: StoredPlan & { written: Matched['written'] },
  before: TargetRows,
): Promise<Again> {
  const { copy } = tables
  const { written } = plan
  const rows = { id: copy.snapshot_id, row_count: copy.fingerprint.rows - 1 }
  const wanted = await storedRows(attempt.context.db, rows)
  const changesOf = (row: number) => changedColumns(before.row(row), wanted(row), written)
  const planned = { ...tables, before, written, wanted, changesOf, isVersion: plan.restores !== null }
  return async (restore) => {
    const placed = await placePlanned(attempt, planned, restore)
    return { ...placed, plan: { ...plan, written: placed.written } }
  }
}
