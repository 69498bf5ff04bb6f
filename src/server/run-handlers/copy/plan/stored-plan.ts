import { planServerMessages } from '../../../../contract/plans/server-messages.ts'
import type { Row } from '../../../../contract/tables.ts'
import type { WrittenCells } from '../../../connectors/connector.ts'
import { RunFailure } from '../../../engine/types.ts'
import type { KeyColumn } from '../../../plans/row-changes.ts'
import { PlannedTarget } from '../../../plans/stored-plan.ts'
import { Restores } from '../../../plans/versions.ts'
import type { Db } from '../../../platform/db.ts'
import { readSnapshot, type StoredSnapshot } from '../../../snapshots/snapshot.ts'
import { RowCounts } from '../arrange/written-rows.ts'

/** A plan that a run writes. The ids of its rows are null when they are no longer kept. */
export type StoredPlan = {
  id: number
  /** The plan of all tabs that it is a part of; null: it is none. */
  whole_id: number | null
  hash: string
  created_at: Date
  wanted_snapshot_id: number | null
  former_snapshot_id: number | null
  target_hash: string
  key_column: KeyColumn
  /** The cells that it may write; null: all of the table. */
  written: Omit<WrittenCells, 'target_rows'> | null
  /** The same as it is stored. */
  stored_cells: PlannedTarget['written']
  /** The version that it restores; null: its rows are those of the source. */
  restores: Restores | null
  /** What the task wrote before, and what it will have written with the plan; null: its rows are not matched. */
  remembered: { written: RowCounts; pending: RowCounts } | null
}

/** The plan of a run, or its part for one tab. Throws RunFailure if it is gone. */
export async function requirePlan(db: Db, id: number | null): Promise<StoredPlan> {
  const plan = await db
    .selectFrom('plans')
    .select([
      'id',
      'whole_id',
      'hash',
      'created_at',
      'wanted_snapshot_id',
      'former_snapshot_id',
      'target_hash',
      'target',
      'restores',
      'written_before',
      'written_after',
    ])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!plan) throw rowsGone()
  const { target, restores, written_before, written_after, ...stored } = plan
  const planned = PlannedTarget.parse(target)
  return {
    ...stored,
    key_column: planned.key_column,
    written: planned.written && writtenCells(planned.written),
    stored_cells: planned.written,
    restores: restores === null ? null : Restores.parse(restores),
    remembered:
      written_before && written_after
        ? { written: RowCounts.parse(written_before), pending: RowCounts.parse(written_after) }
        : null,
  }
}

function writtenCells({
  end,
  cleared,
  ...written
}: NonNullable<PlannedTarget['written']>): NonNullable<StoredPlan['written']> {
  const isCleared = new Set(cleared)
  return { ...written, isWhole: (row) => row === 0 || row > end || isCleared.has(row) }
}

/** The columns in which a plan changes a row. */
export const changedColumns = (former: Row, planned: Row, { columns }: Pick<WrittenCells, 'columns'>) =>
  columns.filter((column) => (former[column] ?? null) !== (planned[column] ?? null))

/** Stored rows of a plan. Throws RunFailure if they are gone. */
export async function requireRows(db: Db, snapshot_id: number | null): Promise<StoredSnapshot> {
  const rows = snapshot_id === null ? null : await readSnapshot(db, snapshot_id)
  if (!rows) throw rowsGone()
  return rows
}

const rowsGone = () => new RunFailure(planServerMessages.plan_rows_gone, { retryable: false })
