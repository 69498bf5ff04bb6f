import type { Pool, PoolClient } from 'pg'
import type { BlockPool } from './block-pool.ts'
import { CopyOut } from './copy-out.ts'

/** A statement that only reads on is never silent for so long: its answer got lost on the way. */
const SILENT_MS = 60_000
// A signature, flags and the length of nothing more.
const HEAD_BYTES = 19
const MOST_FIELDS = 16
const NULL = -1

/**
 * Called with each row: field `n` lies in `bytes` from `places[2 * n]` up to, not including, `places[2 * n + 1]`, in PostgreSQL's
 * binary format; null begins at -1. Both are used again for the rows that follow.
 */
export type TakeRow = (bytes: Buffer, places: Int32Array) => void

/** The rows of a query as bytes, read ahead from the moment it is opened, on a connection of its own. */
export class CopiedRows {
  readonly #client: PoolClient
  readonly #copy: CopyOut

  private constructor(client: PoolClient, copy: CopyOut) {
    this.#client = client
    this.#copy = client.query(copy)
  }

  /** `settings`: what is set before, in SQL; `blocks`: where rows are kept until they are taken. */
  static async open(
    pool: Pool,
    { query, settings, blocks }: { query: string; settings: string; blocks: BlockPool },
  ): Promise<CopiedRows> {
    const client = await pool.connect()
    try {
      await client.query(`begin transaction read only; ${settings}`)
    } catch (error) {
      client.release(true)
      throw error
    }
    return new CopiedRows(client, new CopyOut(`copy (${query}) to stdout (format binary)`, blocks))
  }

  /** Hands all rows over, and waits for `between` now and then. Rejects with the signal's reason once it is aborted. */
  async read(take: TakeRow, between: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const silence = setTimeout(
      () => this.#copy.fail(new Error('Rows of the database got lost on the way')),
      SILENT_MS,
    )
    const onAbort = () => this.#copy.fail(signal.reason)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const places = new Int32Array(2 * MOST_FIELDS)
    let isFirst = true
    try {
      await this.#copy.each(
        (bytes, start) => {
          if (readFields(bytes, isFirst ? start + HEAD_BYTES : start, places)) take(bytes, places)
          isFirst = false
        },
        async () => {
          silence.refresh()
          await between()
        },
      )
      await this.#client.query('commit')
    } catch (error) {
      this.close()
      throw error
    } finally {
      clearTimeout(silence)
      signal.removeEventListener('abort', onAbort)
    }
    this.#client.release()
  }

  /** Ends the connection with what is under way on it. */
  close(): void {
    this.#client.release(true)
  }
}

// Whether it is a row: behind the last one stands the number -1.
function readFields(bytes: Buffer, start: number, places: Int32Array): boolean {
  const fields = bytes.readInt16BE(start)
  let at = start + 2
  for (let n = 0; n < fields; n += 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    places[2 * n] = length < 0 ? NULL : at
    if (length > 0) at += length
    places[2 * n + 1] = at
  }
  return fields >= 0
}
