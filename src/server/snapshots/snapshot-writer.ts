import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** Rows that are sent to the database at a time, in characters of their text. */
const BATCH_CHARACTERS = 1_000_000

/** Streams rows into a snapshot by COPY, one batch while the next one fills. */
export class SnapshotWriter {
  readonly #pool: Pool
  readonly #snapshot_id: number
  #lines: string[] = []
  #characters = 0
  #sending: Promise<void> = Promise.resolve()

  constructor(pool: Pool, snapshot_id: number) {
    this.#pool = pool
    this.#snapshot_id = snapshot_id
  }

  /** Adds data row `row_no` (they count from 1), given as JSON text. */
  add(row_no: number, text: string): void {
    // COPY takes a backslash for the start of an escape; JSON has no bare tabs and line ends.
    const line = `${this.#snapshot_id}\t${row_no}\t${text.replaceAll('\\', '\\\\')}\n`
    this.#lines.push(line)
    this.#characters += line.length
  }

  /** Whether what has been added is enough for a batch. */
  get isLarge(): boolean {
    return this.#characters >= BATCH_CHARACTERS
  }

  async flushIfLarge(): Promise<void> {
    if (this.isLarge) await this.flush()
  }

  /** Sends what has been added, once the batch before has arrived. */
  async flush(): Promise<void> {
    await this.#sending
    if (this.#lines.length === 0) return
    this.#sending = copyIn(this.#pool, this.#lines.join(''))
    // Heard at the next flush; until then it is not unhandled.
    this.#sending.catch(() => {})
    this.#lines = []
    this.#characters = 0
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
}

async function copyIn(pool: Pool, lines: string): Promise<void> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    // Nobody sees the rows before the snapshot is completed, and that waits for the disk: this need not.
    await client.query('begin; set local synchronous_commit = off')
    const rows = client.query(copyFrom('copy snapshot_rows (snapshot_id, row_no, cells) from stdin'))
    await pipeline(Readable.from([lines]), rows)
    await client.query('commit')
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // A connection on which a COPY broke off is not used again.
    client.release(failure)
  }
}
