import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Row } from '../../../../contract/tables.ts'
import type { WritePlan } from '../../../connectors/connector.ts'
import { parseRow } from '../../../connectors/row-json.ts'
import type { Db } from '../../../platform/db.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { readSnapshot, snapshotTexts } from '../../../snapshots/snapshot.ts'
import type { SourceCopy } from '../read/source-copy.ts'
import { Beside, besideOf } from './beside-rows.ts'
import type { RowCommit } from './restore-rows.ts'
import { TargetRows } from './target-rows.ts'

/**
 * A commit to matched rows, stored in the checkpoint before it is sent, to restore cells of other editors that it overwrites.
 * Sets of rows are bits of `length` rows, counted from 1, compressed, as Base64.
 */
export const StoredCommit = z.object({
  before_snapshot_id: z.int(),
  wanted_snapshot_id: z.int(),
  length: z.int(),
  columns: z.array(z.int()),
  keys: z.array(z.int()),
  whole: z.string(),
  others: z.string(),
  restoring: z.string(),
  is_staged: z.boolean(),
  /** Hashes of the cells to the right of the stored rows; null: the commit was not to clear whole rows. */
  beside: z.nullable(Beside),
})
export type StoredCommit = z.infer<typeof StoredCommit>

/** A commit that is about to be sent. `rows`: those of the target. `copy`: those that it is to hold. */
type NewCommit = Pick<RowCommit, 'isOthers' | 'restoring' | 'written'> & {
  rows: TargetRows
  copy: SourceCopy
  before: { snapshot_id: number; header: Row }
  mode: WritePlan['mode']
}

/** Returns what the checkpoint stores of a commit. */
export function storedCommit(commit: NewCommit): StoredCommit {
  const { rows, copy, before, isOthers, restoring, mode } = commit
  const { columns, keys, isWhole } = commit.written
  const length = Math.max(rows.length, copy.fingerprint.rows - 1)
  const rowsThat = (isIn: (row: number) => boolean) =>
    RowSet.from(Array.from({ length }, (_, index) => index + 1).filter(isIn))
  const whole = rowsThat(isWhole)
  // After a sort, only cells to the right of the written ones identify a row that was cleared whole.
  const isCleared = whole.ranges(rows.length + 1).next().done === false
  const from = Math.max(before.header.length, ...columns.map((column) => column + 1))
  return {
    ...{ before_snapshot_id: before.snapshot_id, wanted_snapshot_id: copy.snapshot_id, length },
    ...{ columns: [...columns], keys: [...keys], is_staged: mode === 'staged' },
    whole: packed(whole),
    others: packed(rowsThat(isOthers)),
    restoring: packed(RowSet.from(restoring)),
    beside: isCleared ? besideOf(rows, from) : null,
  }
}

/** `header`: the header row as the commit was to leave it. */
type CommitBefore = RowCommit & { header: Row }

/** Reads a stored commit with its rows; null: these were deleted. */
export async function readCommit(db: Db, stored: StoredCommit): Promise<CommitBefore | null> {
  const { before_snapshot_id, wanted_snapshot_id, length, columns, keys, beside } = stored
  const former = await readSnapshot(db, before_snapshot_id)
  const planned = await readSnapshot(db, wanted_snapshot_id)
  if (!former || !planned) return null
  const [whole, others] = [unpacked(stored.whole), unpacked(stored.others)]
  return {
    before: await TargetRows.stored(db, former, beside),
    wanted: await storedRows(db, planned),
    written: { columns, keys, isWhole: (row) => row === 0 || row > length || whole.has(row) },
    isOthers: (row) => others.has(row),
    restoring: new Set(unpacked(stored.restoring).rows(length + 1)),
    isStaged: stored.is_staged,
    formulas: planned.formulas ?? [],
    header: planned.header,
  }
}

const packed = ({ bits }: RowSet): string =>
  deflateRawSync(bits.subarray(0, bits.findLastIndex((byte) => byte > 0) + 1)).toString('base64')

const unpacked = (text: string): RowSet => RowSet.ofBits(inflateRawSync(Buffer.from(text, 'base64')))

/** The data rows of a snapshot, by number from 1; those that it does not have are blank. */
export async function storedRows(
  db: Db,
  { id, row_count }: { id: number; row_count: number },
): Promise<(row: number) => Row> {
  const texts: string[] = []
  for await (const page of snapshotTexts(db, id, 1, row_count + 1)) texts.push(...page)
  return (row) => parseRow(texts[row - 1] ?? '[]')
}
