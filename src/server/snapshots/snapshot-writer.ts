import type { Pool } from 'pg'
import { CopyBatches } from './copy-batches.ts'

/** What a line has beside its row: two numbers, two tabs and a line end. */
const LINE_BYTES = 32
const BACKSLASH = 0x5c
const LINE_END = 0x0a

/** Streams rows into a snapshot by COPY, one batch while the next one fills. */
export class SnapshotWriter extends CopyBatches {
  readonly #snapshot_id: number

  constructor(pool: Pool, snapshot_id: number) {
    super(pool, { statement: 'copy snapshot_rows (snapshot_id, row_no, cells) from stdin' })
    this.#snapshot_id = snapshot_id
  }

  /** Adds data row `row_no` (they count from 1), given as JSON text or its bytes. */
  add(row_no: number, row: string | Uint8Array): void {
    const bytes = typeof row === 'string' ? Buffer.from(row) : row
    this.makeRoom(LINE_BYTES + 2 * bytes.length)
    const lines = this.bytes
    let end = this.end + lines.write(`${this.#snapshot_id}\t${row_no}\t`, this.end, 'latin1')
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
    this.end = end
  }
}
