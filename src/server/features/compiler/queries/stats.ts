import type { CompilerStats } from '../../../../contract/compiler-records.ts'
import type { Db } from '../../../platform/db.ts'
import { countRows, matchingRows } from '../../../snapshots/bit-sets.ts'
import { readCompiled } from './version.ts'

/** Counts of a configuration's records. Throws NamedError `compiler_task_not_found`. */
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
  const { row_count, stored_rows, completed_at, removed, has_blanks, has_errors, is_duplicate } = version
  const countOf = (wanted: boolean, ...sets: Buffer[]) =>
    countRows(
      matchingRows(stored_rows, [{ set: removed, wanted: false }, ...sets.map((set) => ({ set, wanted }))]),
    )
  return {
    total_records: row_count,
    clean_records: countOf(false, has_blanks, has_errors, is_duplicate),
    records_with_blanks: countOf(true, has_blanks),
    records_with_errors: countOf(true, has_errors),
    duplicate_records: countOf(true, is_duplicate),
    compiled_at: completed_at.toISOString(),
  }
}
