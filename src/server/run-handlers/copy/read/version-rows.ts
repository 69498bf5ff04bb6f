import { planServerMessages as messages } from '../../../../contract/plans/server-messages.ts'
import type { CellPlace, ReadableTarget } from '../../../connectors/connector.ts'
import { type RunContext, RunFailure } from '../../../engine/types.ts'
import type { Restores } from '../../../plans/versions.ts'
import { readSnapshot, type StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { BeforeImage } from '../compare/before-image.ts'
import { compare } from '../compare/compare.ts'
import { type Definition, isArranged } from '../definition.ts'
import { keyOfRows } from '../key-of-rows.ts'
import type { Binding } from '../ownership/binding.ts'
import { mergeVersion } from './merge-version.ts'
import { type RestoredTarget, restoreMatched } from './restore-matched.ts'
import { reopenCopy, type SourceCopy } from './source-copy.ts'

/** Addresses of kept cells that a plan names. */
const MAX_ADDRESSES = 100

type Deps = {
  target: ReadableTarget
  binding: Pick<Binding, 'target_place'>
  owned_columns: number
  last: StoredSnapshot | null
}

/**
 * What a preview needs of the rows that it restores. `held`: the target's rows if they were stored to find out what was edited; `prefetch`: if
 * they were read. `restored`: the cells that may change where rows are matched.
 */
type VersionRows = {
  copy: SourceCopy
  held: StoredSnapshot | null
  restored: RestoredTarget['written'] | null
  prefetch: TargetRows | null
  restores: Restores
}

/**
 * The rows with which a preview restores a version: those of the version, except that cells which were edited since the last change of the
 * target keep their values. Rows that are matched stay where they are (`restoreMatched`). Throws RunFailure if the version is no longer kept,
 * and as `mergeVersion`.
 */
export async function readVersionRows(
  attempt: CopyAttempt,
  version: NonNullable<Definition['version']>,
  { target, binding, owned_columns, last }: Deps,
): Promise<VersionRows> {
  const { context, settings, definition } = attempt
  const { rows, run_id } = await requireVersion(context, version)
  const whole: Restores = {
    ...{ run_id, side: version.side, kept: { cells: 0, addresses: [] }, deleted_cells: 0 },
    formulas: rows.formulas?.length ?? null,
  }
  const written = (await lastWritten(attempt)) ?? last
  // The tab was deleted, so nothing of what was written is left.
  const isOtherTab = binding.target_place !== target.identity().tab_id
  const matched =
    !isArranged(definition) || isOtherTab ? null : await restoreMatched(attempt, version, target)
  if (matched) {
    const { copy, formulas, held, kept, deleted_cells } = matched
    const restores = { ...whole, formulas, kept: keptCells(kept.length, kept, target), deleted_cells }
    return { copy, held: null, prefetch: held, restored: matched.written, restores }
  }
  if (definition.write_mode !== 'replace' && !isOtherTab)
    throw new RunFailure(messages.version_without_key(target.title), { retryable: false })
  const wholeRows = async () => {
    const copy = await reopenCopy(context, rows)
    return { copy, held: null, prefetch: null, restored: null, restores: whole }
  }
  if (version.overwrite_edits || isOtherTab || !written) return wholeRows()
  const copy = await reopenCopy(context, written)
  const before = new BeforeImage(context, settings.pool, written)
  const difference = await compare({
    ...{ context, copy, target, prefetch: null, before, finders: [] },
    owned_columns: Math.max(copy.columns, owned_columns, rows.header.length),
    phase: 'Finding edited cells',
  })
  if (difference.cells_changed === 0) return wholeRows()
  const held = await readSnapshot(context.db, await before.complete(difference, copy))
  if (!held) throw versionGone()
  const { merged, kept, deleted_cells } = await mergeVersion(attempt, {
    ...{ version: rows, written, now: { ...held, formulas: difference.formulas } },
    ...{ differing: difference.rows, key_column: keyOfRows(definition, written.header) },
    address: target.address,
  })
  return {
    copy: await reopenCopy(context, merged),
    ...{ held, prefetch: null, restored: null },
    restores: { ...whole, kept: keptCells(kept.cells, kept.first, target), deleted_cells },
  }
}

const keptCells = (cells: number, first: readonly CellPlace[], target: ReadableTarget): Restores['kept'] => ({
  cells,
  addresses: first.slice(0, MAX_ADDRESSES).map(({ row, column }) => target.address(row, column)),
})

async function requireVersion(
  { db, run }: RunContext,
  { plan_id, side }: NonNullable<Definition['version']>,
): Promise<{ rows: StoredSnapshot; run_id: number }> {
  const plan = await db
    .selectFrom('plans')
    .select(['run_id', 'former_snapshot_id', 'wanted_snapshot_id'])
    .where('id', '=', plan_id)
    .where('task_id', '=', run.task_id)
    .executeTakeFirst()
  const id = plan?.[`${side}_snapshot_id`] ?? null
  const rows = id === null ? null : await readSnapshot(db, id)
  if (!plan || !rows) throw versionGone()
  return { rows, run_id: plan.run_id }
}

/** The rows that the last change of the target wrote; null: they are no longer kept. */
async function lastWritten({ context: { db, run }, tab }: CopyAttempt): Promise<StoredSnapshot | null> {
  // Indexes: plans_versions_idx, plans_values_idx.
  const plan = await db
    .selectFrom('plans')
    .select('wanted_snapshot_id')
    .where('task_id', '=', run.task_id)
    .where('applied_at', 'is not', null)
    .where('is_split', '=', false)
    .where('split_value', 'is not distinct from', tab?.value ?? null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return plan?.wanted_snapshot_id == null ? null : readSnapshot(db, plan.wanted_snapshot_id)
}

const versionGone = () => new RunFailure(messages.version_gone, { retryable: false })
