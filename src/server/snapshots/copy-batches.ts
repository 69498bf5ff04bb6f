import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** A batch of this size is sent. */
const BATCH_BYTES = 1_000_000
/** Usual size of the buffer: a batch and its last row. Most tables fit the initial size. */
const USUAL_BYTES = 1_250_000
const INITIAL_BYTES = 65_536
// PostgreSQL's binary COPY format: signature, flags, length of an empty extension; at the end a row of -1 fields.
const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TAIL = Buffer.from([0xff, 0xff])

/**
 * Writes rows to a table by COPY in PostgreSQL's binary format. One batch is sent while the next one fills. Subclasses call `makeRoom`,
 * write rows to `bytes` at `end`, and advance `end`.
 */
export class CopyBatches {
  readonly #pool: Pool
  readonly #statement: string
  protected bytes = Buffer.alloc(0)
  protected end = 0
  /** The buffer that is being sent; swapped with `bytes` for the next batch. */
  #sent = Buffer.alloc(0)
  #sending: Promise<void> = Promise.resolve()

  /** `copy`: the statement up to the column list. */
  constructor(pool: Pool, copy: string) {
    this.#pool = pool
    // One query string is one transaction. It need not wait for the disk: the rows become visible with their version, whose commit does.
    this.#statement = `set local synchronous_commit = off; ${copy} from stdin (format binary)`
  }

  /** Whether there is enough for a batch. */
  get isLarge(): boolean {
    return this.end >= BATCH_BYTES
  }

  async flushIfLarge(): Promise<void> {
    if (this.isLarge) await this.flush()
  }

  /** Starts sending what has been added; waits for the previous batch first. */
  async flush(): Promise<void> {
    await this.#sending
    if (this.end === 0) return
    this.#sending = this.#send(this.bytes.subarray(0, this.end))
    // Awaited by the next flush; this marks a rejection as handled until then.
    this.#sending.catch(() => {})
    ;[this.bytes, this.#sent] = [this.#sent, this.bytes]
    this.end = 0
  }

  /** Sends the rest and waits until everything is stored. */
  async close(): Promise<void> {
    await this.flush()
    await this.#sending
  }

  /** Waits for the current batch and ignores its result: the rows will not be used. */
  async abandon(): Promise<void> {
    await this.#sending.catch(() => {})
  }

  protected makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const { length } = this.bytes
    const usual =
      length < USUAL_BYTES ? Math.min(USUAL_BYTES, Math.max(INITIAL_BYTES, length * 4)) : length * 2
    const larger = Buffer.allocUnsafe(Math.max(usual, this.end + bytes))
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
  }

  async #send(batch: Buffer): Promise<void> {
    const client = await this.#pool.connect()
    let failure: Error | undefined
    try {
      await pipeline(Readable.from([HEAD, batch, TAIL]), client.query(copyFrom(this.#statement)))
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
      throw error
    } finally {
      // A connection whose COPY failed is discarded.
      client.release(failure)
    }
  }
}
