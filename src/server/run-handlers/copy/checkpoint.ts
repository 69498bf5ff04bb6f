import { z } from 'zod'
import { ByKey } from '../../../contract/runs/receipts.ts'
import type { RunContext } from '../../engine/types.ts'
import type { Requests } from '../source-context.ts'
import { StoredCommit } from './arrange/stored-commit.ts'

const Own = z.object({
  /** When the run started, in milliseconds since 1970. */
  started_at: z.number(),
  /** Requests made up to this checkpoint, by all workers. */
  reads: z.int(),
  writes: z.int(),
  /** The stored source rows; null until the read is complete. */
  snapshot_id: z.int().nullable(),
  /** Number of rows sampled for number formats; null: all rows, or unknown. */
  format_sample_rows: z.int().nullable().default(null),
  /** The target’s rows before the first commit of the run. */
  before_snapshot_id: z.int().nullable(),
  /** The last commit to matched rows, saved before it is sent; null: there was none, or it was refused. */
  row_commit: z.nullable(StoredCommit).default(null),
  /** Plan of the first commit, saved before it is sent. Earlier releases stored `in_place` for a target without atomic commit. */
  commit: z.object({ mode: z.enum(['small', 'staged', 'in_place']), cells_changed: z.int() }).nullable(),
  /** Rows by key that the first commit was to change; null: there was none, or rows stand in the order of the source. */
  by_key: z.nullable(ByKey).default(null),
  /** State that the target connector saved; null: none. */
  target: z.unknown(),
})

// Earlier releases stored the target's state as top-level fields.
const Flat = z
  .object({ new_sheet_id: z.int(), fence: z.unknown().default(null) })
  .transform(({ new_sheet_id, fence }) => ({ new_sheet_id, fence }))

/** State from which another worker resumes a copy. */
export const Checkpoint = z.preprocess((stored) => {
  const target = Flat.safeParse(stored)
  return target.success ? { ...(stored as object), target: target.data } : stored
}, Own)
export type Checkpoint = z.infer<typeof Own>

/** Holds and saves the checkpoint of a run, and counts the requests that this worker makes to providers. */
export class CheckpointKeeper {
  readonly #context: RunContext
  readonly #madeBefore: Requests
  /** Requests of this worker. */
  readonly made: Requests = { read: 0, write: 0 }
  value: Checkpoint
  /** Settles when the most recent save has settled. */
  #storing: Promise<void> = Promise.resolve()

  /** Resumes from the stored checkpoint, or starts with an empty one. */
  constructor(context: RunContext) {
    this.#context = context
    const { checkpoint } = context.run
    this.value = checkpoint === null ? beginning() : Checkpoint.parse(checkpoint)
    this.#madeBefore = { read: this.value.reads, write: this.value.writes }
  }

  /** Requests of the whole run. */
  get requests(): Requests {
    return {
      read: this.#madeBefore.read + this.made.read,
      write: this.#madeBefore.write + this.made.write,
    }
  }

  /** Updates the checkpoint and stores it. Saves run in call order, so the last one wins. */
  async save(change: Partial<Checkpoint>): Promise<void> {
    const { read, write } = this.requests
    const value = { ...this.value, ...change, reads: read, writes: write }
    this.value = value
    const last = this.#storing.catch(() => {})
    this.#storing = last.then(() => this.#context.checkpoint(value))
    await this.#storing
  }
}

const beginning = (): Checkpoint => ({
  started_at: Date.now(),
  reads: 0,
  writes: 0,
  snapshot_id: null,
  format_sample_rows: null,
  before_snapshot_id: null,
  row_commit: null,
  commit: null,
  by_key: null,
  target: null,
})
