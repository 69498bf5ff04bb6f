import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { hasRow, rowNumbers } from '../../../snapshots/bit-sets.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { type BlockRecord, recordsAt } from '../../../snapshots/record-blocks.ts'
import type { CompiledVersion } from './version.ts'

const RECORDS_AT_A_TIME = 500

/** The current version, and the one of the previous compile. */
export type BothVersions = { version: CompiledVersion; earlier: CompiledVersion }

/** A changed record as it is, and as it was; undefined: the row is unknown. */
export type ChangedRecord = { now: BlockRecord; before: BlockRecord | undefined }

/** Yields changed records by row number, in the given order. Both versions stay pinned. Throws NamedError `version_gone`. */
export async function* eachChanged(
  db: Db,
  { version, earlier }: BothVersions,
  row_nos: readonly number[],
): AsyncGenerator<ChangedRecord[]> {
  for (const some of inBatches(row_nos)) {
    await keepVersions(db, version, earlier)
    const records = await recordsAt(db, version.rows_of, some)
    const rows_before = records.map(({ before_row }) => before_row).filter((row_no) => row_no > 0)
    const before = new Map(
      (await recordsAt(db, earlier.rows_of, rows_before)).map((record) => [record.row_no, record]),
    )
    yield records.map((now) => ({ now, before: before.get(now.before_row) }))
  }
}

/** Yields the records of one version by row number. Throws NamedError `version_gone`. */
export async function* eachRecord(
  db: Db,
  version: CompiledVersion,
  row_nos: readonly number[],
): AsyncGenerator<BlockRecord[]> {
  for (const some of inBatches(row_nos)) {
    await keepVersions(db, version)
    yield await recordsAt(db, version.rows_of, some)
  }
}

/** The rows of a set that no user has removed. */
export const rowsLeft = ({ removed }: CompiledVersion, set: Uint8Array): number[] =>
  rowNumbers(set, { offset: 0, limit: Number.POSITIVE_INFINITY }).filter((row_no) => !hasRow(removed, row_no))

function* inBatches(row_nos: readonly number[]): Generator<number[]> {
  for (let first = 0; first < row_nos.length; first += RECORDS_AT_A_TIME)
    yield row_nos.slice(first, first + RECORDS_AT_A_TIME)
}

async function keepVersions(db: Db, ...versions: CompiledVersion[]): Promise<void> {
  for (const { snapshot_id } of versions)
    if (!(await pinSnapshot(db, snapshot_id))) throw new NamedError('version_gone')
}
