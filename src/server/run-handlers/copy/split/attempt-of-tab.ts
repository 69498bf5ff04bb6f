import type { RunContext } from '../../../engine/types.ts'
import { readSnapshot, type StoredSnapshot } from '../../../snapshots/snapshot.ts'
import type { CopyAttempt, TabOfSplit } from '../attempt.ts'
import { CheckpointKeeper } from '../checkpoint.ts'
import { unwritten } from '../ownership/binding.ts'
import { snapshotOfRows } from './tab-snapshot.ts'
import type { WantedTab } from './wanted-tabs.ts'

/** The copy of a tab's rows, as a task with this target alone would make it. `whole`: the rows of all tabs; null: each has its own. */
export async function attemptOfTab(
  attempt: CopyAttempt,
  context: RunContext,
  whole: StoredSnapshot | null,
  { tab, rows, isCleared, plan, version }: WantedTab,
): Promise<CopyAttempt> {
  const { definition } = attempt
  const keeper = new CheckpointKeeper(context)
  const begun = keeper.value.snapshot_id
  const stored = begun === null ? null : await readSnapshot(context.db, begun)
  const { id, value, target_sheet_name, target_place, snapshot_id } = tab
  const ofTab: TabOfSplit = {
    ...{ value, plan, isCleared, title: `the rows of ‘${value}’` },
    stored: id === null ? { ...unwritten, target_place } : { id },
    rows: whole && rows ? (stored ?? (await snapshotOfRows(context, whole, rows))) : null,
  }
  return {
    ...{ ...attempt, context, keeper, tab: ofTab },
    definition: {
      ...definition,
      ...{ split_by: null, more_sources: [], further_sources: [] },
      ...{ target_sheet_name, target_place, snapshot_id, version },
    },
  }
}
