import type { CopyReceipt } from '../../../../contract/runs/receipts.ts'
import type { CheckpointKeeper } from '../checkpoint-keeper.ts'
import type { SourceCopy } from '../read/source-copy.ts'

/** Builds the receipt of a run from its checkpoint and its copy. */
export function receiptOf(
  { value, requests }: CheckpointKeeper,
  { fingerprint, columns, hash }: SourceCopy,
  { target_hash, account }: Pick<CopyReceipt, 'target_hash' | 'account'>,
): CopyReceipt {
  const { commit, started_at, format_sample_rows } = value
  const { read, write } = requests
  return {
    rows: fingerprint.rows - 1,
    columns,
    cells_changed: commit?.cells_changed ?? 0,
    reads: read,
    writes: write,
    mode: commit?.mode ?? 'unchanged',
    source_hash: hash,
    target_hash,
    ...(format_sample_rows !== null && { format_sample_rows }),
    duration_ms: Math.max(0, Date.now() - started_at),
    account,
  }
}
