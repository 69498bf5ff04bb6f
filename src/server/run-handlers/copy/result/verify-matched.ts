import { writeServerMessages as messages } from '../../../../contract/rows/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace, ReadableTarget } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import { arrangeTables, type Matched, nothingToRestore, type Restored } from '../arrange/arrange-tables.ts'
import { placePlanned } from '../arrange/place-planned.ts'
import { type RowCommit, restoreRows } from '../arrange/restore-rows.ts'
import type { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compare, type Difference } from '../compare/compare.ts'
import { differingCells } from '../ownership/target-rules.ts'
import { storedRows } from '../plan/commit-before.ts'
import { changedColumns, type StoredPlan } from '../plan/stored-plan.ts'
import type { Tables } from '../read/read-tables.ts'
import { applyChange } from '../write/write-difference.ts'

/** Times that rows are matched anew after a commit. */
const MAX_ROUNDS = 4

/** A commit, and `again`, which arranges the wanted rows anew, after rows were put back that it wrote over. */
type Commit = Pick<RowCommit, 'before' | 'isOthers' | 'written'> & {
  again: (restore: (now: TargetRows) => Restored) => Promise<Arranged>
}

/** `copy`: the rows that the target is to hold. `prefetch`: those that it holds. */
type Arranged = Pick<Tables, 'copy'> & { prefetch: TargetRows } & Partial<Pick<Tables, 'matched' | 'plan'>>

/**
 * Verifies a target whose rows were matched and which is not as the commit was to leave it, because somebody sorted or edited it meanwhile:
 * matches its rows anew, puts back cells of other people that the commit wrote over, and writes what is still missing. Throws RunFailure if
 * the target keeps changing.
 */
export async function verifyMatched(
  attempt: CopyAttempt,
  tables: Tables,
  commitOf: (wanted: (row: number) => Row) => Commit,
): Promise<Difference> {
  const { context, keeper } = attempt
  const { target, owned_columns } = tables
  const rows = { id: tables.copy.snapshot_id, row_count: tables.copy.fingerprint.rows - 1 }
  const wanted = await storedRows(context.db, rows)
  const { again, ...commit } = commitOf(wanted)
  const written = {
    ...{ ...commit, wanted, formulas: tables.copy.formulas },
    isStaged: keeper.value.commit?.mode === 'staged',
  }
  for (let round = 1; ; round += 1) {
    let put_back: CellPlace[] = []
    const restore = (now: TargetRows): Restored => {
      const restored = round === 1 ? restoreRows(written, now) : nothingToRestore(now)
      put_back = restored.put_back
      return restored
    }
    const arranged = await again(restore)
    const difference = await compare({
      ...{ context, copy: arranged.copy, target, prefetch: arranged.prefetch, before: null, finders: [] },
      ...{ owned_columns, phase: 'Verifying' },
    })
    if (difference.cells_changed === 0) return difference
    if (round === MAX_ROUNDS)
      throw new RunFailure(
        messages.keeps_changing(target.title, differingCells(difference, target.address)),
        {
          retryable: true,
        },
      )
    await context.log('WARNING', messages.moved(target.title, differingCells(difference, target.address)))
    await applyChange(attempt, { ...tables, ...arranged }, difference, {
      ...{ formats: [], rowsAbove: [], isRepair: false },
    })
    await warnOfPutBack(attempt, target, put_back)
  }
}

/** Warns of cells of other people that a commit wrote over and that were put back. */
export async function warnOfPutBack(
  { context }: CopyAttempt,
  { title, address }: Pick<ReadableTarget, 'title' | 'address'>,
  put_back: readonly CellPlace[],
): Promise<void> {
  if (put_back.length === 0) return
  const cells = put_back.map(({ row, column }) => address(row, column))
  await context.warn({ kind: 'sorted', subject: title, message: messages.put_back(title, cells) })
}

/** The commit of a run that has matched the rows itself. */
export const commitOfRun = (attempt: CopyAttempt, tables: Tables & { matched: Matched }) => (): Commit => {
  const { source, held: before, isOthers, written } = tables.matched
  const again: Commit['again'] = (restore) =>
    arrangeTables(attempt, { ...tables, copy: source }, restore, tables.copy)
  return { before, isOthers, written, again }
}

/** The commit of a run that writes a plan of matched rows. */
export const commitOfPlan =
  (
    attempt: CopyAttempt,
    tables: Tables,
    plan: StoredPlan & { written: Commit['written'] },
    before: TargetRows,
  ) =>
  (wanted: (row: number) => Row): Commit => {
    const { written } = plan
    const changesOf = (row: number) => changedColumns(before.row(row), wanted(row), written)
    const again: Commit['again'] = async (restore) => {
      const { written: now, ...placed } = await placePlanned(
        attempt,
        { ...tables, before, written, wanted, changesOf, isVersion: plan.restores !== null },
        restore,
      )
      return { ...placed, plan: { ...plan, written: now } }
    }
    return { before, isOthers: (row) => changesOf(row).length === 0, written, again }
  }
