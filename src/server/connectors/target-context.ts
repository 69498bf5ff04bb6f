import type { Trx } from '../platform/db.ts'
import type { SourceContext } from './source-context.ts'

/** What a target needs from the run that writes it. */
export type TargetContext = Pick<SourceContext, 'signal' | 'beforeRequest'> & {
  run_id: number
  /** The user in whose name files are written, for folders that are limited to some people. */
  user_id?: number | null
  /** Aborts a running commit. Stopping the run does not trigger it. */
  commit_signal: AbortSignal
  /** Rows per batch. */
  chunk_size: number
  /** Whether an earlier run has written to the target; if so, a missing tab is reported. */
  filled: boolean
  /** Cells of the table after the last run; null: unknown. */
  former_cells: number | null
  /** Checkpoint saved by an earlier worker or attempt; null: none. */
  checkpoint: unknown
  /** Saves the checkpoint, which may be any JSON. */
  save: (checkpoint: unknown) => Promise<void>
  /** Transaction for the run's own records; it fails if the worker has lost its lease. */
  transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
  log: (message: string) => Promise<void>
  /** Progress of the run; omitted fields keep their values. */
  progress: (state: Partial<{ rows_done: number; rows_total: number; phase: string }>) => Promise<void>
}
