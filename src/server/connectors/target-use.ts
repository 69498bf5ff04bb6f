import type { Trx } from '../platform/db.ts'
import type { OriginUse } from './origin-use.ts'

/** What a run lends to its target, and what holds for all that it does there. */
export type TargetUse = Pick<OriginUse, 'signal' | 'beforeRequest'> & {
  run_id: number
  /** Ends a change that is under way, which a person's stop does not. */
  commit_signal: AbortSignal
  /** Rows of one step. */
  chunk_size: number
  /** Whether a run has written to the target: then it is told when it is gone. */
  filled: boolean
  /** Columns that will be read; 0: all there are. */
  columns: number
  /** Cells that the table had when the task ran last; null: it is not known. */
  former_cells: number | null
  /** What the target of an earlier worker or attempt has saved; null: nothing. */
  checkpoint: unknown
  /** Stores where another worker goes on; any JSON. */
  save: (checkpoint: unknown) => Promise<void>
  /** Writes of the run's own go through it: it proves first that the run is still this worker's. */
  transaction: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>
  log: (message: string) => Promise<void>
  /** Rows done so far and in all, and what is being done; what is left out stays. */
  progress: (state: Partial<{ rows_done: number; rows_total: number; phase: string }>) => Promise<void>
}
