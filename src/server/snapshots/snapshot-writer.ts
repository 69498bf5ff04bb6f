import type { Pool } from 'pg'
import { CopyBatches } from './copy-batches.ts'

// A row with three fields, each after its length: two four-byte numbers, and the cells.
const ROW_HEAD = Buffer.from([0, 3, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0])
const AT = { snapshot_id: 6, row_no: 14, length: 18 }

/** Writes rows to a snapshot by COPY. */
export class SnapshotWriter extends CopyBatches {
  readonly #head = Buffer.from(ROW_HEAD)

  constructor(pool: Pool, snapshot_id: number) {
    super(pool, 'copy snapshot_rows (snapshot_id, row_no, cells)')
    this.#head.writeInt32BE(snapshot_id, AT.snapshot_id)
  }

  /** Adds data row `row_no`, counted from 1, as JSON text or its bytes. */
  add(row_no: number, row: string | Uint8Array): void {
    const bytes = typeof row === 'string' ? Buffer.from(row) : row
    const head = this.#head
    head.writeInt32BE(row_no, AT.row_no)
    head.writeInt32BE(bytes.length, AT.length)
    this.makeRoom(head.length + bytes.length)
    this.bytes.set(head, this.end)
    this.bytes.set(bytes, this.end + head.length)
    this.end += head.length + bytes.length
  }
}
