import type { Pool } from 'pg'
import type { Row } from '../../../../contract/tables.ts'
import { BLANK_ROW, storedRow } from '../../../connectors/row-json.ts'
import type { RunContext } from '../../../engine/types.ts'
import { TableFormats } from '../../../snapshots/column-format.ts'
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

/** What a comparison has seen of the target. Rows count the header row. */
export type TargetState = { target_rows: number; target_header: Row; target_hash: string }

/** Bytes of rows that wait for the end of the comparison: it may find that they need not be stored. */
const HELD_BYTES = 32_000_000

/**
 * The target as it was before the run changed it, as a snapshot: that of the last run where nobody has touched the
 * target since. Else rows that differ are written, and those that are the same are taken over from the copy within the
 * database.
 */
export class BeforeImage {
  readonly #context: RunContext
  readonly #pool: Pool
  readonly #last: StoredSnapshot | null
  readonly #rows = new RowSet()
  /** Rows that are not handed on yet, and their numbers. */
  #held = new RowBlocks()
  #numbers: number[] = []
  #begun: { id: number; writer: SnapshotWriter } | undefined

  /** `last`: what the task's last run left the target with. */
  constructor(context: RunContext, pool: Pool, last: StoredSnapshot | null) {
    this.#context = context
    this.#pool = pool
    this.#last = last
  }

  /** Adds a data row of the target that differs from the copy's. */
  add(row: number, json: Uint8Array): void {
    this.#rows.add(row)
    this.#held.add(json)
    this.#numbers.push(row)
  }

  /** Hands on what was added, unless it can wait. */
  async flushIfLarge(): Promise<void> {
    if (this.#held.length === 0) return
    if (this.#begun || !this.#last || this.#held.bytes > HELD_BYTES) await this.#write()
  }

  /** Completes the image and answers its id. */
  async complete(target: TargetState, copy: SourceCopy): Promise<number> {
    const untouched = this.#last?.hash === target.target_hash
    if (this.#last && untouched && !this.#begun) return this.#last.id
    const { id, writer } = await this.#write()
    await writer.close()
    const row_count = Math.max(0, target.target_rows - 1)
    await this.#context.transaction(async (trx) => {
      await fillFrom(trx, { into: id, other: copy.snapshot_id, last: row_count, present: this.#rows })
      const { target_header: header, target_hash: hash } = target
      await completeSnapshot(trx, id, { header, formats: new TableFormats([]), row_count, hash })
    })
    return id
  }

  /** Waits for what is under way; the image will not be used. */
  async abandon(): Promise<void> {
    await this.#begun?.writer.abandon()
  }

  /** Hands on what is held. */
  async #write(): Promise<{ id: number; writer: SnapshotWriter }> {
    this.#begun ??= await this.#begin()
    const { writer } = this.#begun
    const [held, numbers] = [this.#held, this.#numbers]
    this.#held = new RowBlocks()
    this.#numbers = []
    for (const [index, row] of numbers.entries()) {
      writer.add(row, storedRow(held.at(index) ?? BLANK_ROW))
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
