import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { FormatChange } from '../../../../contract/plans/calls.ts'
import { planServerMessages } from '../../../../contract/plans/server-messages.ts'
import type { ReadableTarget } from '../../../connectors/connector.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import type { PlannedTarget } from '../../../plans/stored-plan.ts'
import type { StoredFormat } from '../../../snapshots/column-format.ts'
import type { Matched } from '../arrange/arrange-tables.ts'
import type { CopyAttempt } from '../attempt.ts'
import type { Comparison } from '../compare/compare-tables.ts'
import { selfChangingColumns } from '../definition.ts'
import { describeLimit, type Excess } from '../limits/excess.ts'
import { isFilled } from '../ownership/target-rules.ts'
import type { UnownedCells } from '../ownership/unowned-cells.ts'
import type { ReadTables } from '../read/read-tables.ts'
import { expireOldPlans, PLAN_HOURS, type SavedPlan, wholePlan } from './whole-plan.ts'

/** Columns with unowned cells that a plan names. */
const MAX_COLUMNS = 100

const { format: texts } = planServerMessages

/**
 * Stores what the run is about to change, or what a run would change. `former_snapshot_id`: the target's rows. A plan of a preview
 * expires; that of a run is applied by the run itself. `key_column`: by which rows are matched. `exceeded`: limits beyond which the plan is.
 */
export async function savePlan(
  { context, definition, tab }: CopyAttempt,
  tables: ReadTables,
  { difference, formats, unowned }: Pick<Comparison, 'difference' | 'formats' | 'unowned'>,
  {
    former_snapshot_id,
    isPreview,
    key_column,
    exceeded = [],
  }: { former_snapshot_id: number; isPreview: boolean; key_column: KeyColumn; exceeded?: readonly Excess[] },
): Promise<SavedPlan> {
  const { task_id, id: run_id } = context.run
  const { target, copy, owned_columns, matched } = tables
  const cells = matched ?? tables.restored
  const { target_hash, rows } = difference
  const columns = Array.from({ length: Math.max(copy.columns, owned_columns) }, (_, column) =>
    target.columnName(column),
  )
  const planned: PlannedTarget = {
    target_provider: definition.target_provider,
    target_ss_id: definition.target_ss_id,
    start_row: definition.start_row,
    title: target.title,
    tab_id: target.identity().tab_id,
    columns,
    key_column,
    ignored: selfChangingColumns(definition, copy.header),
    formats: namedFormats(tables, formats),
    unowned: unowned && namedCells(target, unowned),
    written: cells ? plannedCells(cells) : (tables.plan?.stored_cells ?? null),
    sheet_name: tab ? target.identity().sheet_name : '',
    is_new: tab !== null && difference.target_rows === 0 && tables.binding.target_place === null,
    is_cleared: tab?.isCleared ?? false,
    kept: [],
  }
  const restores = tables.restores ?? tables.plan?.restores ?? null
  const hash = createHash('sha256')
    .update(JSON.stringify([run_id, copy.hash, target_hash, ...(tab ? [tab.value] : [])]))
    .digest('hex')
  return context.transaction(async (trx) => {
    const whole_id =
      tab && (await wholePlan(trx, context.run, { planned, tab: target.identity(), plan: definition.plan }))
    const plan = await trx
      .insertInto('plans')
      .values({
        hash,
        task_id,
        run_id,
        wanted_snapshot_id: copy.snapshot_id,
        former_snapshot_id,
        target_hash,
        target: JSON.stringify(planned),
        differing: rows.bits,
        limits: exceeded.length > 0 ? JSON.stringify(exceeded.map(describeLimit)) : null,
        restores: restores && JSON.stringify(restores),
        // A run records this itself when it writes.
        ...(isPreview && {
          written_before: matched?.remembered.written.stored ?? null,
          written_after: matched?.remembered.pending.stored ?? null,
        }),
        ...(tab && { whole_id, split_value: tab.value }),
        // That of a part is known when all parts are.
        expires_at:
          isPreview && tab === null ? sql<Date>`now() + make_interval(hours => ${PLAN_HOURS})` : null,
      })
      // A worker that takes over may have stored the former rows anew; a lost tab is created again.
      .onConflict((conflict) =>
        conflict.column('hash').doUpdateSet({ former_snapshot_id, target: JSON.stringify(planned) }),
      )
      .returning(['id', 'hash'])
      .executeTakeFirstOrThrow()
    if (isPreview && tab === null) await expireOldPlans(trx, task_id)
    return plan
  })
}

/** The cells that a run which applies the plan may write. */
function plannedCells({ written, end }: Pick<Matched, 'written' | 'end'>): PlannedTarget['written'] {
  const { columns, keys, inserted_from, isWhole } = written
  const rows = Array.from({ length: end }, (_, index) => index + 1)
  return { columns: [...columns], keys: [...keys], inserted_from, end, cleared: rows.filter(isWhole) }
}

/** Which columns get another number format, and which. */
function namedFormats(
  { target, copy, binding, last }: ReadTables,
  changes: Comparison['formats'],
): FormatChange[] {
  const former = isFilled(target, binding) ? last?.formats : undefined
  return [...new Set(changes.map(({ column }) => column))].map((column) => ({
    column: target.columnName(column),
    header: String(copy.header[column] ?? ''),
    old: former ? formatText(former.of(column)) : null,
    new: formatText(copy.formats.of(column)),
  }))
}

function formatText({ format, runs }: StoredFormat): string {
  if (runs !== null) return texts.several
  return format === null ? texts.automatic : (format.pattern ?? format.type.toLowerCase())
}

const namedCells = (target: ReadableTarget, { kind, cells, columns }: UnownedCells) => ({
  kind,
  cells,
  columns: columns
    .slice(0, MAX_COLUMNS)
    .map(({ column, found }) => ({ column: target.columnName(column), header: String(found ?? '') })),
})
