import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import type { RunResult } from '../../../engine/types.ts'
import { summariseSmallChange } from '../../../plans/stored-plan.ts'
import { markApplied } from '../../../plans/versions.ts'
import type { Trx } from '../../../platform/db.ts'
import { saveWrittenRows } from '../arrange/written-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { CheckpointKeeper } from '../checkpoint.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { rememberedRows, type Tables } from '../read/read-tables.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { successMessage } from './messages.ts'
import { type Result, saveResult, saveTab } from './save-result.ts'
import { verify } from './verify.ts'
import { verifyFormats } from './verify-formats.ts'

/** Verifies what was written, removes the staging data of the run, and returns the receipt. */
export async function copyResult(
  attempt: CopyAttempt,
  tables: Tables,
  comparison: Comparison,
): Promise<RunResult> {
  const { source, target, copy, accountsUsed } = tables
  const { context, definition, keeper } = attempt
  const split_value = attempt.tab?.value ?? null
  if (keeper.value.commit !== null)
    await context.transaction((trx) => markApplied(trx, context.run.id, split_value))
  const { target_hash } = comparison.isUpToDate
    ? comparison.difference
    : await verified(attempt, tables, comparison)
  await target.cleanUp()
  const { before_snapshot_id } = keeper.value
  const restores = tables.plan?.restores ?? null
  const { rows, cells_changed } = comparison.difference
  if (!comparison.isUpToDate)
    await summariseSmallChange(
      context.db,
      { run_id: context.run.id, split_value, rows },
      { written: cells_changed, restores },
    )
  // Rows that an earlier worker has changed are unchanged now.
  const by_key = keeper.value.by_key ?? tables.matched?.by_key
  const receipt = {
    ...receiptOf(keeper, copy, { target_hash, account: accountsUsed() }),
    ...(tables.plan && { plan: tables.plan.hash }),
    ...(by_key && { by_key }),
  }
  return {
    message: successMessage(receipt, comparison.rowsAbove),
    receipt,
    commit: async (trx) => {
      const { tab } = attempt
      const id = tab && 'id' in tab.stored ? tab.stored.id : null
      const save = id === null ? saveResult : (trx: Trx, result: Result) => saveTab(trx, id, result)
      await save(trx, {
        task_id: context.run.task_id,
        snapshot_id: copy.snapshot_id,
        before_snapshot_id,
        source: source.identity,
        further: source.further,
        target: target.identity(),
        owned_columns: copy.columns,
        owned_rows: copy.fingerprint.rows,
        owned_start_row: definition.start_row,
        restores,
        source_hash: receipt.source_hash,
      })
      const remembered = rememberedRows(tables)
      if (remembered || definition.write_mode === 'replace')
        await saveWrittenRows(trx, context.run.task_id, remembered?.pending ?? null)
    },
  }
}

async function verified(attempt: CopyAttempt, tables: Tables, { difference, formats }: Comparison) {
  const after = await verify(attempt, tables, difference.target_header)
  await verifyFormats(attempt, tables, { written: formats, difference: after })
  return after
}

/** The receipt of a run that has read `copy`. */
export function receiptOf(
  { value, requests }: CheckpointKeeper,
  { fingerprint, columns, hash }: SourceCopy,
  { target_hash, account }: Pick<CopyReceipt, 'target_hash' | 'account'>,
): CopyReceipt {
  const { commit, started_at, format_sample_rows } = value
  const { read, write } = requests
  return {
    rows: Math.max(0, fingerprint.rows - 1),
    columns,
    cells_changed: commit?.cells_changed ?? 0,
    reads: read,
    writes: write,
    mode: commit?.mode ?? 'unchanged',
    source_hash: hash,
    target_hash,
    ...(format_sample_rows !== null && { format_sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    account,
  }
}
