import {
  type Change,
  OriginFailure,
  type ReadableTarget,
  type WritePlan,
} from '../../../connectors/connector.ts'
import type { RunContext } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import { count } from '../../messages.ts'
import { type StoredCommit, storedCommit } from '../arrange/stored-commit.ts'
import { recordPendingRows } from '../arrange/written-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Checkpoint, CheckpointKeeper } from '../checkpoint.ts'
import { changeTo } from '../compare/change.ts'
import type { Difference } from '../compare/compare.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { recordArea } from '../ownership/tab-identity.ts'
import { savePlan } from '../plan/save-plan.ts'
import { rememberedRows, type Tables } from '../read/read-tables.ts'

/** A copy right before its commit. `key_column`: by which rows are matched. */
export type PreparedCopy = {
  attempt: CopyAttempt
  tables: Tables
  comparison: Comparison
  key_column: KeyColumn
}

/** Makes the target equal to the copy in one commit. Before that, stores the former rows and what the commit is about to do. */
export async function writeDifference(copy: PreparedCopy): Promise<void> {
  const { attempt, tables, comparison } = copy
  const { difference, formats, rowsAbove } = comparison
  const onPlan = planRecorder(copy)
  try {
    await applyChange(attempt, tables, difference, { formats, rowsAbove, isRepair: false }, onPlan)
  } catch (error) {
    if (error instanceof OriginFailure && error.kind === 'tab_gone') await forgetPlan(copy)
    throw error
  }
}

/** Returns a function that stores the former rows and the commit before it is sent; further calls store only its changed mode. */
export function planRecorder(copy: PreparedCopy): (plan: WritePlan) => Promise<void> {
  const { attempt, tables, comparison, key_column } = copy
  const { context, keeper } = attempt
  const { difference, before, isFirst, mayHaveWritten } = comparison
  let isPlanLogged = false
  return async (plan) => {
    if (isPlanLogged) return changeMode(keeper, plan)
    isPlanLogged = true
    const known: Partial<Checkpoint> = {}
    if (before) {
      await context.progress({ phase: 'Storing the target’s former rows' })
      const former_snapshot_id = await before.complete(difference, tables.copy)
      if (keeper.value.before_snapshot_id === null) {
        await savePlan(attempt, tables, comparison, { former_snapshot_id, isPreview: false, key_column })
        known.before_snapshot_id = former_snapshot_id
      }
      known.row_commit = rowCommitOf(tables, difference, { former_snapshot_id, mode: plan.mode })
    }
    const remembered = rememberedRows(tables)
    if (remembered)
      await context.transaction((trx) => recordPendingRows(trx, context.run.task_id, remembered))
    if (!mayHaveWritten) {
      known.commit = { mode: plan.mode, cells_changed: difference.cells_changed }
      known.by_key = tables.matched?.by_key ?? null
    }
    await keeper.save(known)
    await logWritePlan(context, tables.target, { plan, difference, isFirst })
  }
}

/** What the checkpoint stores of a commit to matched rows; null: rows are not matched. */
function rowCommitOf(
  { matched, plan, before_plan, copy }: Tables,
  { target_header: header, rows: differing }: Difference,
  { former_snapshot_id, mode }: { former_snapshot_id: number; mode: WritePlan['mode'] },
): StoredCommit | null {
  const [rows, written] = [matched?.held ?? before_plan, matched?.written ?? plan?.written]
  if (!rows || !written) return null
  return storedCommit({
    ...{ rows, copy, written, mode },
    isOthers: matched?.isOthers ?? ((row) => !differing.has(row)),
    restoring: matched?.restoring ?? new Set(),
    before: { snapshot_id: former_snapshot_id, header },
  })
}

/** Stores the mode of a commit that did not fit one request: a staged commit also writes cells that do not differ. */
async function changeMode(keeper: CheckpointKeeper, { mode }: WritePlan): Promise<void> {
  const { row_commit } = keeper.value
  if (row_commit) await keeper.save({ row_commit: { ...row_commit, is_staged: mode === 'staged' } })
}

/**
 * Clears what was saved before a commit that changed nothing, so that the next attempt does not assume a write, and checks the limits and
 * stores the former rows of the tab that it writes to.
 */
export async function forgetPlan({
  attempt: { keeper },
  comparison: { mayHaveWritten },
}: PreparedCopy): Promise<void> {
  if (!mayHaveWritten)
    await keeper.save({ commit: null, by_key: null, before_snapshot_id: null, row_commit: null })
}

/** Logs the differences and the write plan. */
async function logWritePlan(
  context: RunContext,
  target: ReadableTarget,
  { plan, difference, isFirst }: { plan: WritePlan; difference: Difference; isFirst: boolean },
): Promise<void> {
  const { rows, cells_changed, target_rows } = difference
  const currentRows = count(Math.max(0, target_rows - 1), 'row')
  const differ = `${count(cells_changed, 'cell')} in ${count(rows.size, 'row')}`
  const first = isFirst && target_rows > 0 ? ' This first run replaces them.' : ''
  const what = `${target.title} holds ${currentRows}; ${differ} ${cells_changed === 1 ? 'differs' : 'differ'}.${first}`
  await context.log('INFO', `${what} ${plan.summary}`)
}

/** The parts of a change other than its rows. */
type ChangeOptions = Pick<Change, 'rowsAbove' | 'formats'> & { isRepair: boolean }

/** Records the area as owned, then applies one change. `onPlan` is called as described at `WritableTarget.apply`. */
export async function applyChange(
  attempt: CopyAttempt,
  tables: Tables,
  difference: Difference,
  options: ChangeOptions,
  onPlan: (plan: WritePlan) => Promise<void> = async () => {},
): Promise<void> {
  const change = changeOf(attempt, tables, difference, options)
  const { warning } = await tables.target.apply(change, async (plan) => {
    await onPlan(plan)
    await recordArea(attempt, areaOf({ attempt, tables }))
  })
  await warnOfEdits(attempt, tables, warning)
}

/** The change that makes the target equal to the copy. */
export function changeOf(
  { context }: CopyAttempt,
  { copy, owned_columns, matched, plan }: Tables,
  difference: Difference,
  options: ChangeOptions,
): Change {
  const { target_rows } = difference
  const written = matched?.written ?? plan?.written ?? null
  const within = written && { ...written, target_rows }
  return changeTo(context, copy, difference, { ...options, owned_columns, within })
}

/** The area that a copy writes. */
export const areaOf = ({ attempt, tables }: Pick<PreparedCopy, 'attempt' | 'tables'>) => ({
  start_row: attempt.definition.start_row,
  columns: tables.copy.columns,
  header: tables.copy.header,
})

/** Warns of edits that were detected only after a commit; null: there were none. */
export async function warnOfEdits({ context }: CopyAttempt, { target }: Tables, warning: string | null) {
  if (warning !== null) await context.warn({ kind: 'resized', subject: target.title, message: warning })
}
