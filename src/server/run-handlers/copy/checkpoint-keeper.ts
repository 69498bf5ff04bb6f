import type { RunContext } from '../../engine/types.ts'
import type { Requests } from '../source-context.ts'
import { Checkpoint } from './checkpoint.ts'

/** The checkpoint of a run as this worker has it, and what it has asked for outside. */
export class CheckpointKeeper {
  readonly #context: RunContext
  readonly #madeBefore: Requests
  /** Requests of this worker. */
  readonly made: Requests = { read: 0, write: 0 }
  value: Checkpoint
  /** The last one that is being stored. */
  #storing: Promise<void> = Promise.resolve()

  /** Goes on where the last worker of the attempt was, or begins. */
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

  /** Changes the checkpoint and stores it, after those before: the last one stays. */
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
