import { createHash } from 'node:crypto'
import { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import { splitConflicts } from '../../../../contract/sync-tasks/check-write-settings.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import { RunFailure, type RunResult } from '../../../engine/types.ts'
import { readSnapshot, type StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import { CheckpointKeeper } from '../checkpoint.ts'
import { executeCopy } from '../copy-run.ts'
import type { Definition } from '../definition.ts'
import { saveSources } from '../result/save-result.ts'
import { copyTogether } from './copy-together.ts'
import { readWhole, rowsOfTabs, type WholeTable } from './read-split.ts'
import type { SplitState } from './split-state.ts'
import { addSplitTabs, readSplitTabs, type SplitTab } from './split-tabs.ts'
import { snapshotOfRows } from './tab-snapshot.ts'

/** A tab that the run writes. `rows`: data rows of the whole table; none: its value is gone. */
type Wanted = { tab: SplitTab; rows: readonly number[]; isCleared: boolean }

/**
 * Executes one attempt at the run of a split task: reads the source once, and makes one copy per tab of its rows. All tabs are written in one
 * commit where their differences fit one; otherwise one after the other, and a worker that resumes the run begins with the first tab that
 * is not done. Throws as `executeCopy`.
 */
export async function executeSplit(
  attempt: CopyAttempt,
  state: SplitState,
  split_by: string,
): Promise<RunResult> {
  const { context, definition } = attempt
  refuseSettings(definition)
  const table = await readWhole(attempt, state)
  const wanted = await wantedTabs(attempt, table, split_by)
  await context.log('INFO', messages.read(wanted.length, table.whole.row_count))
  const left = () => {
    const done = new Set(state.value.done.map(({ id }) => id))
    return wanted.filter(({ tab }) => !done.has(tab.id))
  }
  const finish = async (one: Wanted, result: RunResult) => {
    await saveDone(attempt, state, one, result)
    const { target_sheet_name: name } = one.tab
    await context.log('INFO', messages.tab(state.value.done.length, wanted.length, name, result.message))
  }
  const attemptOfTab = (one: Wanted) => attemptOf(attempt, state, table.whole, one)
  if (!state.value.is_one_by_one && !(await copyTogether(left(), { attempt, attemptOfTab, finish }))) {
    await state.save({ is_one_by_one: true })
    await context.log('INFO', messages.one_by_one)
  }
  for (const one of left()) await finish(one, await executeCopy(await attemptOfTab(one)))
  return splitResult(attempt, state, table)
}

/** Throws RunFailure if the run could not do what it is for, before anything is read. */
function refuseSettings(definition: Definition): void {
  const { preview, plan, version } = definition
  const [conflict] = splitConflicts(definition)
  const reason =
    preview || plan !== null || version !== null
      ? messages.no_preview
      : conflict && messages.conflict(conflict.message)
  if (reason) throw new RunFailure(reason, { retryable: false })
}

/** The tabs in the order of their values; those whose value is gone come last, or are kept. */
async function wantedTabs(attempt: CopyAttempt, table: WholeTable, split_by: string): Promise<Wanted[]> {
  const { context, definition } = attempt
  const { task_id } = context.run
  const tabs = await rowsOfTabs(attempt, table, split_by)
  await context.transaction((trx) => addSplitTabs(trx, task_id, definition.target_ss_id, tabs))
  const known = await readSplitTabs(context.db, task_id, definition.target_ss_id)
  const byValue = new Map(known.map((tab) => [tab.value, tab]))
  const present = tabs.flatMap(({ value, rows }): Wanted[] => {
    const tab = byValue.get(value)
    byValue.delete(value)
    return tab ? [{ tab, rows, isCleared: false }] : []
  })
  const gone = [...byValue.values()].filter(({ snapshot_id }) => snapshot_id !== null)
  if (definition.on_missing === 'clear')
    return [...present, ...gone.map((tab) => ({ tab, rows: [], isCleared: true }))]
  if (gone.length > 0)
    await context.log('INFO', messages.kept(gone.map(({ target_sheet_name }) => target_sheet_name)))
  return present
}

/** The copy of a tab's rows, as a task with this target alone would make it. */
async function attemptOf(
  attempt: CopyAttempt,
  state: SplitState,
  whole: StoredSnapshot,
  { tab, rows, isCleared }: Wanted,
): Promise<CopyAttempt> {
  const { definition } = attempt
  const context = state.contextOfTab(tab.id)
  const keeper = new CheckpointKeeper(context)
  const begun = keeper.value.snapshot_id
  const stored = begun === null ? null : await readSnapshot(context.db, begun)
  const { target_sheet_name, target_place, snapshot_id } = tab
  return {
    ...{ ...attempt, context, keeper },
    definition: {
      ...definition,
      ...{ split_by: null, more_sources: [], further_sources: [] },
      ...{ target_sheet_name, target_place, snapshot_id },
    },
    tab: {
      ...{ id: tab.id, title: `the rows of ‘${tab.value}’`, isCleared },
      rows: stored ?? (await snapshotOfRows(context, whole, rows)),
    },
  }
}

/** Stores that a tab is done. */
async function saveDone(
  { context }: CopyAttempt,
  state: SplitState,
  { tab, isCleared }: Wanted,
  { commit, ...result }: RunResult,
): Promise<void> {
  const receipt = CopyReceipt.parse(result.receipt)
  await context.transaction(async (trx) => {
    await commit?.(trx)
    // An emptied tab is no longer the task's, so it is not added again after somebody has deleted it.
    if (isCleared) await trx.deleteFrom('split_tabs').where('id', '=', tab.id).execute()
  })
  const { rows, columns, cells_changed, mode, target_hash } = receipt
  const { id, value, target_sheet_name: sheet_name } = tab
  await state.saveDone(
    { id, value, sheet_name, rows, columns, cells_changed, mode, target_hash, is_cleared: isCleared },
    receipt,
  )
}

function splitResult({ context }: CopyAttempt, state: SplitState, { whole, source }: WholeTable): RunResult {
  const { done, reads, writes, started_at, account, format_sample_rows } = state.value
  const changed = done.filter(({ mode }) => mode !== 'unchanged')
  const receipt: CopyReceipt = {
    rows: whole.row_count,
    columns: Math.max(0, ...done.map(({ columns }) => columns)),
    cells_changed: done.reduce((cells, tab) => cells + tab.cells_changed, 0),
    ...{ reads, writes, account },
    mode:
      changed.length === 0 ? 'unchanged' : changed.some(({ mode }) => mode === 'staged') ? 'staged' : 'small',
    source_hash: whole.hash ?? '',
    target_hash: createHash('sha256')
      .update(done.map(({ target_hash }) => target_hash).join())
      .digest('hex'),
    ...(format_sample_rows !== null && { format_sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    tabs: done.map(({ value, sheet_name, rows, cells_changed, is_cleared }) => ({
      ...{ value, sheet_name, rows, cells_changed, is_cleared },
    })),
  }
  return {
    message: messages.done(done.length, changed.length),
    receipt,
    commit: async (trx) => {
      const { task_id } = context.run
      await trx.updateTable('tasks').set({ snapshot_id: whole.id }).where('id', '=', task_id).execute()
      if (source) await saveSources(trx, { task_id, source: source.identity, further: source.further })
    },
  }
}
