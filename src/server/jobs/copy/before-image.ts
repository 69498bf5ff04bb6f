import type { Pool } from 'pg'
import type { Row } from '../../connectors/connector.ts'
import type { RunContext } from '../../engine/types.ts'
import { beginSnapshot, completeSnapshot, fillFrom } from './snapshot.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import type { SourceCopy } from './source-copy.ts'

/** What a comparison has seen of the target. Rows count the header row. */
export type TargetState = { target_rows: number; target_header: Row; target_hash: string }

/**
 * The target as it was before the run changed it, as a snapshot. Only rows that differ are written; those that are
 * the same are taken over from the copy within the database.
 */
export class BeforeImage {
  readonly #context: RunContext
  readonly #pool: Pool
  #begun: { id: number; writer: SnapshotWriter } | undefined

  constructor(context: RunContext, pool: Pool) {
    this.#context = context
    this.#pool = pool
  }

  /** Adds a data row of the target that differs from the copy's. */
  async add(row: number, text: string): Promise<void> {
    const { writer } = await this.#begin()
    writer.add(row, text)
    await writer.flushIfLarge()
  }

  /** Completes the image and answers its id. */
  async complete(target: TargetState, copy: SourceCopy): Promise<number> {
    const { id, writer } = await this.#begin()
    await writer.close()
    const row_count = Math.max(0, target.target_rows - 1)
    await this.#context.transaction(async (trx) => {
      await fillFrom(trx, id, copy.snapshot_id, row_count)
      const { target_header: header, target_hash: hash } = target
      await completeSnapshot(trx, id, { header, formats: [], row_count, hash })
    })
    return id
  }

  /** Waits for what is under way; the image will not be used. */
  async abandon(): Promise<void> {
    await this.#begun?.writer.abandon()
  }

  async #begin(): Promise<{ id: number; writer: SnapshotWriter }> {
    if (this.#begun) return this.#begun
    const { task_id, id: run_id } = this.#context.run
    const id = await this.#context.transaction((trx) =>
      beginSnapshot(trx, { task_id, run_id, kind: 'before' }),
    )
    this.#begun = { id, writer: new SnapshotWriter(this.#pool, id) }
    return this.#begun
  }
}
