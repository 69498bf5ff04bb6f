import { isDeepStrictEqual } from 'node:util'
import { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { RowSet } from '../../../snapshots/row-set.ts'

/** What the checks of a version found, by the number of the check. */
export type StoredFailures = {
  /** Records that fail; row 0 is the first. */
  failures: Map<number, RowSet>
  /** Null: no record has a number. */
  medians: Map<number, number | null>
}

/** What a version's checks found, for those of `checks` that the version had too. */
export async function readFailures(
  db: Db,
  version_id: number,
  checks: readonly FieldCheck[],
): Promise<StoredFailures> {
  const rows = await db
    .selectFrom('compiled_failures as f')
    .innerJoin('compiled_versions as v', 'v.snapshot_id', 'f.snapshot_id')
    .select(['f.check_no', 'f.rows', 'f.median', 'v.field_checks'])
    .where('f.snapshot_id', '=', version_id)
    .execute()
  const stored: StoredFailures = { failures: new Map(), medians: new Map() }
  for (const { check_no, rows: failed, median, field_checks } of rows) {
    const former = FieldCheck.parse(field_checks[check_no])
    const now = checks.findIndex((check) => isDeepStrictEqual(check, former))
    if (now < 0) continue
    stored.failures.set(now, RowSet.ofBits(failed))
    if (former.kind === 'median') stored.medians.set(now, median)
  }
  return stored
}

/** Stores what the checks of a version found, also of checks that no record fails. */
export async function writeFailures(
  trx: Trx,
  snapshot_id: number,
  { checks, records, failures, medians }: StoredFailures & { checks: readonly FieldCheck[]; records: number },
): Promise<void> {
  if (checks.length === 0) return
  await trx
    .insertInto('compiled_failures')
    .values(
      checks.map((_, check_no) => ({
        snapshot_id,
        check_no,
        rows: failures.get(check_no)?.bits.subarray(0, Math.ceil(records / 8)) ?? Buffer.alloc(0),
        median: medians.get(check_no) ?? null,
      })),
    )
    .execute()
}
