import { createHash } from 'node:crypto'
import { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import { splitConflicts } from '../../../../contract/sync-tasks/check-write-settings.ts'
import { splitServerMessages as messages } from '../../../../contract/sync-tasks/server-messages.ts'
import { RunFailure, type RunResult } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import { summariseSmallTabs } from '../../../plans/stored-plan.ts'
import type { CopyAttempt } from '../attempt.ts'
import { executeCopy } from '../copy-run.ts'
import type { Definition } from '../definition.ts'
import { failBeyondLimits } from '../limits/require-within-limits.ts'
import { nameKeptTabs } from '../plan/whole-plan.ts'
import { saveOlderVersion, saveSources } from '../result/save-result.ts'
import { attemptOfTab } from './attempt-of-tab.ts'
import type { CheckedTabs } from './check-tabs.ts'
import { copyTogether } from './copy-together.ts'
import { planBeyondLimits, previewSplit } from './preview-split.ts'
import type { SplitState } from './split-state.ts'
import { readSplitTabs } from './split-tabs.ts'
import { snapshotOfTabs } from './tab-snapshot.ts'
import { type WantedTab, type WantedTabs, wantedTabs } from './wanted-tabs.ts'

/**
 * Executes one attempt at the run of a split task: reads the source once, and makes one copy per tab of its rows. All tabs are written in one
 * commit where their differences fit one; otherwise one after the other, and a worker that resumes the run begins with the first tab that
 * is not done. Nothing is written before all tabs are compared. Throws as `executeCopy`.
 */
export async function executeSplit(
  attempt: CopyAttempt,
  state: SplitState,
  split_by: string,
): Promise<RunResult> {
  const { context, definition } = attempt
  refuseSettings(definition)
  const wanted = await wantedTabs(attempt, state, split_by)
  if (definition.preview) return previewSplit(attempt, state, wanted)
  const { tabs } = wanted
  const whole = wanted.table?.whole ?? null
  const left = () => {
    const done = new Set(state.value.done.map(({ id }) => id))
    return tabs.filter(({ tab }) => !done.has(idOf(tab)))
  }
  const finish = async (one: WantedTab, result: RunResult) => {
    await saveDone(attempt, state, one, result)
    const { target_sheet_name: name } = one.tab
    await context.log('INFO', messages.tab(state.value.done.length, tabs.length, name, result.message))
  }
  const attemptOf = (one: WantedTab) => attemptOfTab(attempt, state.contextOfTab(idOf(one.tab)), whole, one)
  const requireWithinLimits = (checked: CheckedTabs) => requireTabsWithinLimits(attempt, wanted, checked)
  const deps = { attempt, attemptOf, requireWithinLimits, finish }
  if (!state.value.is_one_by_one && !(await copyTogether(left(), deps))) {
    await state.save({ is_one_by_one: true })
    await context.log('INFO', messages.one_by_one)
  }
  for (const one of left()) await finish(one, await executeCopy(await attemptOf(one)))
  return splitResult(attempt, state, wanted)
}

/** The id of a tab that a run writes. */
function idOf({ id, target_sheet_name }: WantedTab['tab']): number {
  if (id === null) throw new Error(`The tab ${target_sheet_name} was not added.`)
  return id
}

/** Throws RunFailure if the run could not do what it is for, before anything is read. */
function refuseSettings(definition: Definition): void {
  const [conflict] = splitConflicts(definition)
  if (conflict) throw new RunFailure(messages.conflict(conflict.message), { retryable: false })
}

/** Fails the run if its tabs together are beyond limits, and stores its plan. A plan that is written was reviewed by a user. */
async function requireTabsWithinLimits(
  attempt: CopyAttempt,
  wanted: WantedTabs,
  checked: CheckedTabs,
): Promise<{ key_column: KeyColumn } | null> {
  if (wanted.plan) return null
  const { exceeded, key_column } = await checked.exceeded(wanted.table?.whole ?? null)
  if (exceeded.length > 0)
    return failBeyondLimits(attempt, exceeded, () => planBeyondLimits(attempt, wanted, exceeded))
  await checked.warn()
  return { key_column }
}

/** Stores that a tab is done. */
async function saveDone(
  { context }: CopyAttempt,
  state: SplitState,
  { tab, isCleared }: WantedTab,
  { commit, ...result }: RunResult,
): Promise<void> {
  const receipt = CopyReceipt.parse(result.receipt)
  await context.transaction(async (trx) => {
    await commit?.(trx)
    // An emptied tab is no longer the task's, so it is not added again after somebody has deleted it.
    if (isCleared) await trx.deleteFrom('split_tabs').where('id', '=', idOf(tab)).execute()
  })
  const { rows, columns, cells_changed, mode, target_hash } = receipt
  const { value, target_sheet_name: sheet_name } = tab
  await state.saveDone(
    {
      id: idOf(tab),
      value,
      sheet_name,
      rows,
      columns,
      cells_changed,
      mode,
      target_hash,
      is_cleared: isCleared,
    },
    receipt,
  )
}

async function splitResult(
  attempt: CopyAttempt,
  state: SplitState,
  { table, plan, kept }: WantedTabs,
): Promise<RunResult> {
  const { context, definition } = attempt
  const { task_id } = context.run
  const { done, reads, writes, started_at, account, format_sample_rows } = state.value
  const changed = done.filter(({ mode }) => mode !== 'unchanged')
  const target_hash = createHash('sha256')
    .update(done.map(({ target_hash }) => target_hash).join())
    .digest('hex')
  const receipt: CopyReceipt = {
    rows: table?.whole.row_count ?? done.reduce((rows, tab) => rows + tab.rows, 0),
    columns: Math.max(0, ...done.map(({ columns }) => columns)),
    cells_changed: done.reduce((cells, tab) => cells + tab.cells_changed, 0),
    ...{ reads, writes, account },
    mode:
      changed.length === 0 ? 'unchanged' : changed.some(({ mode }) => mode === 'staged') ? 'staged' : 'small',
    ...{ source_hash: table?.whole.hash ?? target_hash, target_hash },
    ...(format_sample_rows !== null && { format_sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    ...(plan && { plan: plan.hash }),
    tabs: done.map(({ value, sheet_name, rows, cells_changed, is_cleared }) => ({
      ...{ value, sheet_name, rows, cells_changed, is_cleared },
    })),
  }
  await nameKeptTabs(context, kept)
  await summariseSmallTabs(context.db, context.run.id, { restores: plan?.restores ?? null })
  // The tabs have reported their own rows.
  await context.progress({ rows_done: receipt.rows, rows_total: receipt.rows })
  // The rows of a version are not those of the source.
  const snapshot_id =
    table?.whole.id ??
    plan?.wanted_snapshot_id ??
    (await snapshotOfTabs(attempt, await readSplitTabs(context.db, task_id, definition.target_ss_id)))
  return {
    message: messages.done(done.length, changed.length),
    receipt,
    commit: async (trx) => {
      await trx.updateTable('tasks').set({ snapshot_id }).where('id', '=', task_id).execute()
      await saveOlderVersion(trx, task_id, plan?.restores ?? null, { in: 'target_hash', hash: target_hash })
      const source = table?.source
      if (source) await saveSources(trx, { task_id, source: source.identity, further: source.further })
    },
  }
}
