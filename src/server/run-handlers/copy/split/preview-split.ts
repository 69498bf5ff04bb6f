import { createHash } from 'node:crypto'
import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import { splitServerMessages } from '../../../../contract/sync-tasks/server-messages.ts'
import { type RunContext, RunFailure, type RunResult } from '../../../engine/types.ts'
import { completePlan, type KnownOfTab } from '../../../plans/stored-plan.ts'
import type { Restores } from '../../../plans/versions.ts'
import type { StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt } from '../attempt.ts'
import { compareTables } from '../compare/compare-tables.ts'
import { keyOfRows } from '../key-of-rows.ts'
import type { Excess } from '../limits/excess.ts'
import { formerRows, namedBeside, usualCost } from '../plan/preview-copy.ts'
import { savePlan } from '../plan/save-plan.ts'
import { forgetWhole, saveWhole } from '../plan/whole-plan.ts'
import { readForPreview } from '../read/read-tables.ts'
import { attemptOfTab } from './attempt-of-tab.ts'
import { CheckedTabs } from './check-tabs.ts'
import type { SplitState } from './split-state.ts'
import type { WantedTab, WantedTabs } from './wanted-tabs.ts'

/** What a preview has read of the tabs. */
type Totals = { cells_changed: number; columns: number; rows: number; reads: number; accounts: Set<string> }

/** Compares all tabs, and stores one plan for them. Writes nothing to the target. Throws as `executeCopy`. */
export async function previewSplit(
  attempt: CopyAttempt,
  state: SplitState,
  wanted: WantedTabs,
): Promise<RunResult> {
  const { hash, totals, target_hash, spreadsheet } = await planTabs(attempt, wanted, null)
  const { started_at, reads, writes, format_sample_rows, account } = state.value
  const { cells_changed, columns } = totals
  const whole = wanted.table?.whole ?? null
  const title = messages.tabs_of(wanted.tabs.length, spreadsheet)
  const receipt: CopyReceipt = {
    ...{ rows: whole?.row_count ?? totals.rows, columns, cells_changed },
    ...{ reads: reads + totals.reads, writes, mode: 'preview' },
    ...{ source_hash: whole?.hash ?? hash, target_hash, plan: hash },
    ...(format_sample_rows !== null && { format_sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    account: [...new Set([...account.split(', ').filter(Boolean), ...totals.accounts])].join(', '),
  }
  const message = cells_changed === 0 ? messages.nothing(title) : messages.would_change(title, cells_changed)
  return { message, receipt }
}

/** Stores the plan of a run that is beyond limits, so that it can be applied as that of a preview. */
export async function planBeyondLimits(
  attempt: CopyAttempt,
  wanted: WantedTabs,
  exceeded: readonly Excess[],
): Promise<void> {
  const definition = { ...attempt.definition, preview: true }
  await planTabs({ ...attempt, definition }, wanted, exceeded)
}

/** `exceeded`: the limits that the plan exceeds; null: they are to be checked. */
async function planTabs(
  attempt: CopyAttempt,
  { tabs, kept, table }: WantedTabs,
  exceeded: readonly Excess[] | null,
) {
  const { context, definition } = attempt
  if (tabs.length === 0) throw new RunFailure(splitServerMessages.no_tabs, { retryable: false })
  await forgetWhole(context)
  const planned = new PlannedTabs(attempt)
  for (const [place, tab] of tabs.entries()) {
    await context.progress({ phase: 'Comparing the tabs', rows_done: place, rows_total: tabs.length })
    await planned.add(tab, table?.whole ?? null)
  }
  const whole = table?.whole ?? null
  const checked = await planned.checked.exceeded(whole)
  const restores = planned.restores(definition.version && (await versionOf(context, definition.version)))
  const { id, hash } = await saveWhole(context, {
    ...{ kept, restores, key_column: checked.key_column, exceeded: exceeded ?? checked.exceeded },
    wanted_snapshot_id: whole?.id ?? null,
  })
  await context.assertLease()
  await completePlan(
    context.db,
    id,
    {
      ...{ written: planned.totals.cells_changed, isWritePending: planned.isWritePending, beside: null },
      ...{ cost: await usualCost(context), restores },
    },
    (value) => planned.known.get(value) ?? { written: 0, beside: null },
  )
  const { totals, hashes, spreadsheet } = planned
  return { hash, totals, spreadsheet, target_hash: createHash('sha256').update(hashes.join()).digest('hex') }
}

/** The version of all tabs. Those of tabs may be of other runs. */
async function versionOf(
  { db }: RunContext,
  { plan_id, side }: NonNullable<CopyAttempt['definition']['version']>,
): Promise<Pick<Restores, 'run_id' | 'side'>> {
  const { run_id } = await db
    .selectFrom('plans')
    .select('run_id')
    .where('id', '=', plan_id)
    .executeTakeFirstOrThrow()
  return { run_id, side }
}

/** The tabs of a preview that are planned so far. */
class PlannedTabs {
  readonly #attempt: CopyAttempt
  readonly checked: CheckedTabs
  readonly known = new Map<string, KnownOfTab>()
  readonly hashes: string[] = []
  readonly totals: Totals = { cells_changed: 0, columns: 0, rows: 0, reads: 0, accounts: new Set() }
  readonly #restores: { sheet_name: string; restores: Restores }[] = []
  isWritePending = false
  spreadsheet = ''

  constructor(attempt: CopyAttempt) {
    this.#attempt = attempt
    this.checked = new CheckedTabs(attempt)
  }

  async add(wanted: WantedTab, whole: StoredSnapshot | null): Promise<void> {
    const attempt = await attemptOfTab(this.#attempt, withoutCheckpoint(this.#attempt.context), whole, wanted)
    const tables = await readForPreview(attempt)
    try {
      const comparison = await compareTables(attempt, tables)
      const { former_snapshot_id, beside } = await formerRows(attempt, tables, comparison)
      const { target, copy, restores } = tables
      const key_column = keyOfRows(attempt.definition, copy.header)
      await savePlan(attempt, tables, comparison, { former_snapshot_id, isPreview: true, key_column })
      this.checked.addStored(tables, comparison, { former: former_snapshot_id, beside })
      const { cells_changed, target_hash } = comparison.difference
      const { value } = wanted.tab
      this.known.set(value, { written: cells_changed, beside: namedBeside(beside) })
      this.hashes.push(target_hash)
      const { sheet_name, spreadsheet_name } = target.identity()
      if (restores) this.#restores.push({ sheet_name, restores })
      this.spreadsheet = spreadsheet_name
      this.isWritePending ||= await target.isWritePending()
      this.totals.cells_changed += cells_changed
      this.totals.columns = Math.max(this.totals.columns, copy.columns)
      this.totals.rows += Math.max(0, copy.fingerprint.rows - 1)
      this.totals.reads += attempt.keeper.requests.read
      for (const account of tables.accountsUsed().split(', ').filter(Boolean))
        this.totals.accounts.add(account)
    } finally {
      await tables.close()
    }
  }

  /** What all tabs together restore; addresses of kept cells name their tabs. */
  restores(version: Pick<Restores, 'run_id' | 'side'> | null): Restores | null {
    if (version === null) return null
    const all = this.#restores.map(({ restores }) => restores)
    const sum = (numberOf: (one: Restores) => number) => all.reduce((total, one) => total + numberOf(one), 0)
    const formulas = all.map((one) => one.formulas)
    return {
      ...version,
      kept: {
        cells: sum(({ kept }) => kept.cells),
        addresses: this.#restores
          .flatMap(({ sheet_name, restores: { kept } }) =>
            kept.addresses.map((address) => `‘${sheet_name}’!${address}`),
          )
          .slice(0, MAX_ADDRESSES),
      },
      deleted_cells: sum(({ deleted_cells }) => deleted_cells),
      formulas: formulas.includes(null) ? null : sum((one) => one.formulas ?? 0),
    }
  }
}

/** Addresses of kept cells that a plan names. */
const MAX_ADDRESSES = 100

/** A preview begins anew in each attempt. */
const withoutCheckpoint = (context: RunContext): RunContext => ({
  ...context,
  run: { ...context.run, checkpoint: null },
  checkpoint: async () => {},
})
