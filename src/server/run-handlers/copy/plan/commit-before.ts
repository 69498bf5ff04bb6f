import type { Row } from '../../../../contract/tables.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import type { Db } from '../../../platform/db.ts'
import { readSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'
import type { RowCommit } from '../arrange/restore-rows.ts'
import { TargetRows } from '../arrange/target-rows.ts'
import type { CopyAttempt } from '../attempt.ts'
import { changedColumns, planOfRun } from './stored-plan.ts'

/** `header`: the header row as the commit was to leave it. */
export type CommitBefore = RowCommit & { header: Row }

/**
 * The commit to matched rows that an earlier worker of this run, or an earlier attempt, was about to send, from what it stored before. Only
 * that says which cells of other people the commit may have written over. Null: there was none, or its rows are no longer kept.
 */
export async function commitBefore({
  context: { db, run },
  keeper,
}: CopyAttempt): Promise<CommitBefore | null> {
  const { commit, before_snapshot_id, beside } = keeper.value
  if (commit === null || before_snapshot_id === null) return null
  const plan = await planOfRun(db, run.id, before_snapshot_id)
  if (!plan?.written || plan.wanted_snapshot_id === null) return null
  const former = await readSnapshot(db, before_snapshot_id)
  const planned = await readSnapshot(db, plan.wanted_snapshot_id)
  if (!former || !planned) return null
  const before = await TargetRows.stored(db, former, beside)
  const wanted = await storedRows(db, planned)
  const { written } = plan
  return {
    ...{ before, wanted, written, header: planned.header, formulas: planned.formulas ?? [] },
    isOthers: (row) => changedColumns(before.row(row), wanted(row), written).length === 0,
    isStaged: commit.mode === 'staged',
  }
}

/** The data rows of a snapshot, by number from 1; those that it does not have are blank. */
export async function storedRows(
  db: Db,
  { id, row_count }: { id: number; row_count: number },
): Promise<(row: number) => Row> {
  const texts: string[] = []
  for await (const page of snapshotTexts(db, id, 1, row_count + 1)) texts.push(...page)
  return (row) => parseRow(texts[row - 1] ?? '[]')
}
