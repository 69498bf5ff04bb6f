import type { Pool } from 'pg'
import type { Row } from '../../../../contract/tables.ts'
import type { CellPlace } from '../../../connectors/connector.ts'
import { BLANK_ROW, storedRow } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import {
  beginSnapshot,
  completeSnapshot,
  fillFrom,
  type StoredSnapshot,
} from '../../../snapshots/snapshot.ts'
import { SnapshotWriter } from '../../../snapshots/snapshot-writer.ts'
import { RowBlocks } from '../read/row-blocks.ts'
import type { SourceCopy } from '../read/source-copy.ts'

/** State of the target as the comparison read it. `target_rows` includes the header row. */
export type TargetState = {
  target_rows: number
  target_header: Row
  target_hash: string
  /** Cells that are formulas, which read as text; null: unknown. */
  formulas: CellPlace[] | null
}

/** Maximum size of buffered rows. The end of the comparison may show that they need not be stored. */
const MAX_BUFFERED_BYTES = 32_000_000

/**
 * Snapshot of the target before the run changes it. If the target is unchanged since the last run, the snapshot of that run is
 * reused. Otherwise rows that differ from the copy are written, and equal rows are copied from the copy's snapshot inside the
 * database.
 */
export class BeforeImage {
  readonly #context: RunContext
  readonly #pool: Pool
  readonly #last: StoredSnapshot | null
  readonly #rows = new RowSet()
  /** Rows that are not written yet, and their numbers. */
  #buffered = new RowBlocks()
  #numbers: number[] = []
  #begun: { id: number; writer: SnapshotWriter } | undefined
  #completed: Promise<number> | undefined

  /** `last`: snapshot of the task's last successful run, or of the target as it was just read. */
  constructor(context: RunContext, pool: Pool, last: StoredSnapshot | null) {
    this.#context = context
    this.#pool = pool
    this.#last = last
  }

  /** Adds a data row of the target that differs from the copy's. */
  add(row: number, json: Uint8Array): void {
    this.#rows.add(row)
    this.#buffered.add(json)
    this.#numbers.push(row)
  }

  /** Writes the buffered rows once the image is certain to be stored or the buffer is full. */
  async flushIfLarge(): Promise<void> {
    if (this.#buffered.length === 0) return
    if (this.#begun || !this.#last || this.#buffered.bytes > MAX_BUFFERED_BYTES) await this.#write()
  }

  /** Completes the image, once, and returns its snapshot id. */
  complete(target: TargetState, copy: SourceCopy): Promise<number> {
    this.#completed ??= this.#complete(target, copy)
    return this.#completed
  }

  async #complete(target: TargetState, copy: SourceCopy): Promise<number> {
    // The hash does not distinguish a formula from its text.
    const formulas = target.formulas?.length
    const untouched =
      this.#last?.hash === target.target_hash && (this.#last.formulas?.length ?? 0) === formulas
    if (this.#last && untouched && !this.#begun) return this.#last.id
    const { id, writer } = await this.#write()
    await writer.close()
    const row_count = Math.max(0, target.target_rows - 1)
    await this.#context.transaction(async (trx) => {
      await fillFrom(trx, { into: id, other: copy.snapshot_id, last: row_count, present: this.#rows })
      const { target_header: header, target_hash: hash, formulas } = target
      // The target's own formats are not read: they are those of the last run. Before the first one they are unknown, and stay.
      const { formats } = this.#last ?? copy
      await completeSnapshot(trx, id, { header, formats, row_count, hash, formulas })
    })
    return id
  }

  /** Abandons the image and waits for writes in progress. */
  async abandon(): Promise<void> {
    await this.#begun?.writer.abandon()
  }

  /** Writes the buffered rows. */
  async #write(): Promise<{ id: number; writer: SnapshotWriter }> {
    this.#begun ??= await this.#begin()
    const { writer } = this.#begun
    const [buffered, numbers] = [this.#buffered, this.#numbers]
    this.#buffered = new RowBlocks()
    this.#numbers = []
    for (const [index, row] of numbers.entries()) {
      writer.add(row, storedRow(buffered.at(index) ?? BLANK_ROW))
      await writer.flushIfLarge()
    }
    return this.#begun
  }

  async #begin(): Promise<{ id: number; writer: SnapshotWriter }> {
    const { task_id, id: run_id } = this.#context.run
    const id = await this.#context.transaction((trx) =>
      beginSnapshot(trx, { task_id, run_id, kind: 'before' }),
    )
    return { id, writer: new SnapshotWriter(this.#pool, id) }
  }
}
