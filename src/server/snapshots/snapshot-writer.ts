import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Rows that are sent to the database at a time, in bytes. */
const BATCH_BYTES = 1_000_000
/** What a line has beside its row: two numbers, two tabs and a line end. */
const LINE_BYTES = 32
const BACKSLASH = 0x5c
const LINE_END = 0x0a

// Sent as one, and so one transaction. Nobody sees the rows before the snapshot is completed, and that waits for the disk: this need not.
const COPY = `set local synchronous_commit = off;
  copy snapshot_rows (snapshot_id, row_no, cells) from stdin`

/** Streams rows into a snapshot by COPY, one batch while the next one fills. */
export class SnapshotWriter {
  readonly #pool: Pool
  readonly #snapshot_id: number
  #lines = Buffer.allocUnsafe(BATCH_BYTES)
  #end = 0
  /** What is being sent, and is filled again once it has arrived. */
  #sent = Buffer.allocUnsafe(BATCH_BYTES)
  #sending: Promise<void> = Promise.resolve()

  constructor(pool: Pool, snapshot_id: number) {
    this.#pool = pool
    this.#snapshot_id = snapshot_id
  }

  /** Adds data row `row_no` (they count from 1), given as JSON text or its bytes. */
  add(row_no: number, row: string | Uint8Array): void {
    const bytes = typeof row === 'string' ? Buffer.from(row) : row
    this.#makeRoom(LINE_BYTES + 2 * bytes.length)
    const lines = this.#lines
    let end = this.#end + lines.write(`${this.#snapshot_id}\t${row_no}\t`, this.#end, 'latin1')
    if (!bytes.includes(BACKSLASH)) {
      lines.set(bytes, end)
      end += bytes.length
    } else {
      // COPY takes a backslash for the start of an escape; JSON has no bare tabs and line ends.
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] ?? BACKSLASH
        if (byte === BACKSLASH) lines[end++] = BACKSLASH
        lines[end++] = byte
      }
    }
    lines[end++] = LINE_END
    this.#end = end
  }

  /** Whether what has been added is enough for a batch. */
  get isLarge(): boolean {
    return this.#end >= BATCH_BYTES
  }

  async flushIfLarge(): Promise<void> {
    if (this.isLarge) await this.flush()
  }

  /** Sends what has been added, once the batch before has arrived. */
  async flush(): Promise<void> {
    await this.#sending
    if (this.#end === 0) return
    this.#sending = copyIn(this.#pool, this.#lines.subarray(0, this.#end))
    // Heard at the next flush; until then it is not unhandled.
    this.#sending.catch(() => {})
    ;[this.#lines, this.#sent] = [this.#sent, this.#lines]
    this.#end = 0
  }

  /** Sends the rest and waits until all has arrived. */
  async close(): Promise<void> {
    await this.flush()
    await this.#sending
  }

  /** Waits for what is under way, whatever becomes of it: the snapshot will not be used. */
  async abandon(): Promise<void> {
    await this.#sending.catch(() => {})
  }

  #makeRoom(bytes: number): void {
    if (this.#end + bytes <= this.#lines.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#lines.length * 2, this.#end + bytes))
    this.#lines.copy(larger, 0, 0, this.#end)
    this.#lines = larger
  }
}

async function copyIn(pool: Pool, lines: Buffer): Promise<void> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await pipeline(Readable.from([lines]), client.query(copyFrom(COPY)))
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection on which a COPY broke off is not used again.
    client.release(failure)
  }
}
