import type { Pool, PoolClient } from 'pg'
import type { BlockPool } from './block-pool.ts'
import { CopyOut } from './copy-out.ts'

/** A read without a row for this long has lost its connection. */
const READ_TIMEOUT_MS = 60_000
// PostgreSQL's binary COPY header: signature, flags, length of an empty extension.
const HEAD_BYTES = 19
const MAX_FIELDS = 16
const NULL = -1

/**
 * Called with each row in PostgreSQL's binary format. Field `n` is in `bytes` from `bounds[2 * n]` up to, not including,
 * `bounds[2 * n + 1]`; null starts at -1. Both arguments are reused for the next row.
 */
export type TakeRow = (bytes: Buffer, bounds: Int32Array) => void

/** The rows of a query as bytes, read by COPY on a separate connection. Prefetching starts when it is opened. */
export class CopiedRows {
  readonly #client: PoolClient
  readonly #copy: CopyOut

  private constructor(client: PoolClient, copy: CopyOut) {
    this.#client = client
    this.#copy = client.query(copy)
  }

  /** `settings`: SQL that runs before the query; `blocks`: buffers for prefetched rows. */
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

  /** Calls `take` with each row and awaits `between` after each block. Rejects with the signal's reason once it is aborted. */
  async read(take: TakeRow, between: () => Promise<void>, signal: AbortSignal): Promise<void> {
    const timeout = setTimeout(
      () => this.#copy.fail(new Error('Rows of the database got lost on the way')),
      READ_TIMEOUT_MS,
    )
    const onAbort = () => this.#copy.fail(signal.reason)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    const bounds = new Int32Array(2 * MAX_FIELDS)
    let isFirst = true
    try {
      await this.#copy.each(
        (bytes, start) => {
          if (readFields(bytes, isFirst ? start + HEAD_BYTES : start, bounds)) take(bytes, bounds)
          isFirst = false
        },
        async () => {
          timeout.refresh()
          await between()
        },
      )
      await this.#client.query('commit')
    } catch (error) {
      this.close()
      throw error
    } finally {
      clearTimeout(timeout)
      signal.removeEventListener('abort', onAbort)
    }
    this.#client.release()
  }

  /** Closes the connection and what it is reading. */
  close(): void {
    this.#client.release(true)
  }
}

/** False at the end of the data, which the field count -1 marks. */
function readFields(bytes: Buffer, start: number, bounds: Int32Array): boolean {
  const fields = bytes.readInt16BE(start)
  let at = start + 2
  for (let n = 0; n < fields; n += 1) {
    const length = bytes.readInt32BE(at)
    at += 4
    bounds[2 * n] = length < 0 ? NULL : at
    if (length > 0) at += length
    bounds[2 * n + 1] = at
  }
  return fields >= 0
}
