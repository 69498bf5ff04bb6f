import type { CompilerStats } from '../../../../contract/compiler/records.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, countRows, matchingRows } from '../../../snapshots/bit-sets.ts'
import { FLAGS, flagSets } from './flags.ts'
import { readCompiled } from './version.ts'

/** Reads the record counts of a configuration. Throws NamedError `compiler_task_not_found`. */
export async function readStats(db: Db, config_id: number): Promise<CompilerStats> {
  const version = await readCompiled(db, config_id)
  if (version === null)
    return {
      total_records: 0,
      clean_records: 0,
      records_with_blanks: 0,
      records_with_errors: 0,
      duplicate_records: 0,
      compiled_at: null,
    }
  const { row_count, stored_rows, completed_at, removed } = version
  const flagged = (await flagSets(db, version, FLAGS)).map(({ set }) => set)
  const countOf = (wanted: boolean, sets: readonly BitSet[]) =>
    countRows(
      matchingRows(stored_rows, [{ set: removed, wanted: false }, ...sets.map((set) => ({ set, wanted }))]),
    )
  const [records_with_blanks = 0, records_with_errors = 0, duplicate_records = 0] = flagged.map((set) =>
    countOf(true, [set]),
  )
  return {
    total_records: row_count,
    clean_records: countOf(false, flagged),
    records_with_blanks,
    records_with_errors,
    duplicate_records,
    compiled_at: completed_at.toISOString(),
  }
}
