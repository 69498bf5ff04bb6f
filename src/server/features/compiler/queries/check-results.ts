import type { CompilerQuality } from '../../../../contract/compiler/records.ts'
import { checkSentence } from '../../../../contract/field-checks/describe-checks.ts'
import { hasMoved } from '../../../../contract/field-checks/field-rules.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, countRows, matchingRows } from '../../../snapshots/bit-sets.ts'
import type { CompiledVersion } from './version.ts'

/** What each check of a version found, and how medians moved since the earlier version. */
export async function readChecks(
  db: Db,
  version: CompiledVersion,
  earlier: CompiledVersion | null,
): Promise<CompilerQuality['checks']> {
  const found = await failuresOf(db, version)
  const before = earlier === null ? [] : await failuresOf(db, earlier)
  const formerMedian = (field: string) => {
    const at = earlier?.field_checks.findIndex((check) => check.kind === 'median' && check.field === field)
    return before.find(({ check_no }) => check_no === at)?.median ?? null
  }
  return version.field_checks.map((check, check_no) => {
    const { rows = new Uint8Array(), median: now = null } =
      found.find((one) => one.check_no === check_no) ?? {}
    const former = formerMedian(check.field)
    return {
      check_no,
      check,
      sentence: checkSentence(check),
      records: countOf(version, rows),
      median:
        check.kind === 'median'
          ? { now, before: former, has_moved: hasMoved(former, now, check.percent) }
          : null,
    }
  })
}

const failuresOf = (db: Db, { snapshot_id }: CompiledVersion) =>
  db
    .selectFrom('compiled_failures')
    .select(['check_no', 'rows', 'median'])
    .where('snapshot_id', '=', snapshot_id)
    .execute()

/** Number of rows of a set that no user has removed. */
export const countOf = (
  { stored_rows, removed }: Pick<CompiledVersion, 'stored_rows' | 'removed'>,
  set: BitSet,
): number =>
  countRows(
    matchingRows(stored_rows, [
      { set, wanted: true },
      { set: removed, wanted: false },
    ]),
  )
