import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** What is sent to the database at a time, in bytes. */
const BATCH_BYTES = 1_000_000
/** Room for that and for what comes with its last row, as a rule; most tables are smaller than the first room. */
const MOST_ROOM = 1_250_000
const FIRST_ROOM = 65_536
// PostgreSQL's binary format: a signature, flags and the length of nothing more; at the end a row of -1 fields.
const HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const TAIL = Buffer.from([0xff, 0xff])

/**
 * Streams into a table by COPY in PostgreSQL's binary format, one batch while the next one fills: `make room`, write rows to `bytes`
 * from `end` on, move `end`.
 */
export class CopyBatches {
  readonly #pool: Pool
  readonly #statement: string
  protected bytes = Buffer.alloc(0)
  protected end = 0
  /** What is being sent, and is filled again once it has arrived. */
  #sent = Buffer.alloc(0)
  #sending: Promise<void> = Promise.resolve()

  /** `copy`: the statement as far as the columns that are written. */
  constructor(pool: Pool, copy: string) {
    this.#pool = pool
    // Sent as one, and so one transaction. Nobody sees the rows before their version is completed, and that waits for the disk: this need not.
    this.#statement = `set local synchronous_commit = off; ${copy} from stdin (format binary)`
  }

  /** Whether what has been added is enough for a batch. */
  get isLarge(): boolean {
    return this.end >= BATCH_BYTES
  }

  async flushIfLarge(): Promise<void> {
    if (this.isLarge) await this.flush()
  }

  /** Sends what has been added, once the batch before has arrived. */
  async flush(): Promise<void> {
    await this.#sending
    if (this.end === 0) return
    this.#sending = this.#send(this.bytes.subarray(0, this.end))
    // Awaited at the next flush; until then it is not unhandled.
    this.#sending.catch(() => {})
    ;[this.bytes, this.#sent] = [this.#sent, this.bytes]
    this.end = 0
  }

  /** Sends the rest and waits until all has arrived. */
  async close(): Promise<void> {
    await this.flush()
    await this.#sending
  }

  /** Waits for what is under way, whatever becomes of it: what was sent will not be used. */
  async abandon(): Promise<void> {
    await this.#sending.catch(() => {})
  }

  protected makeRoom(bytes: number): void {
    if (this.end + bytes <= this.bytes.length) return
    const { length } = this.bytes
    const usual = length < MOST_ROOM ? Math.min(MOST_ROOM, Math.max(FIRST_ROOM, length * 4)) : length * 2
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
      // A connection on which a COPY broke off is not used again.
      client.release(failure)
    }
  }
}
