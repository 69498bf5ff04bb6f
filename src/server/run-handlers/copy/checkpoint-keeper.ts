import type { RunContext } from '../../engine/types.ts'
import type { Requests } from '../source-context.ts'
import { Checkpoint } from './checkpoint.ts'

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
  commit: null,
  target: null,
})
