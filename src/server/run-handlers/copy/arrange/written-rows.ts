import { hash } from 'node:crypto'
import type { Db, Trx } from '../../../platform/db.ts'

/** Bytes of a hash: enough that two of ten million rows do not share one. */
const HASH_BYTES = 8

/** The hash under which a key or a row is remembered, one character per byte. */
export const hashOf = (text: string): string => hash('sha256', text, 'binary').slice(0, HASH_BYTES)

/** How often each row has been written, by hash. */
export class RowCounts {
  readonly #counts: Map<string, number>

  constructor(counts: ReadonlyMap<string, number> = new Map()) {
    this.#counts = new Map(counts)
  }

  static parse(stored: Buffer): RowCounts {
    const counts = new RowCounts()
    for (let at = 0; at < stored.length; at += HASH_BYTES)
      counts.add(stored.toString('latin1', at, at + HASH_BYTES))
    return counts
  }

  of(hash: string): number {
    return this.#counts.get(hash) ?? 0
  }

  has(hash: string): boolean {
    return this.#counts.has(hash)
  }

  add(hash: string): void {
    this.#counts.set(hash, this.of(hash) + 1)
  }

  /** Adds the hash unless it is there. */
  put(hash: string): void {
    if (!this.has(hash)) this.add(hash)
  }

  delete(hash: string): void {
    this.#counts.delete(hash)
  }

  [Symbol.iterator](): Iterator<[string, number]> {
    return this.#counts.entries()
  }

  copy(): RowCounts {
    return new RowCounts(this.#counts)
  }

  get stored(): Buffer {
    const hashes: string[] = []
    for (const [hash, times] of this) for (let n = 0; n < times; n += 1) hashes.push(hash)
    return Buffer.from(hashes.sort().join(''), 'latin1')
  }
}

/** Rows that the runs of a task wrote. `pending`: those that the last run may have written, if it has not recorded its end; null: it has. */
export type WrittenRows = { written: RowCounts; pending: RowCounts | null }

/** Null: no run of the task has matched rows. */
export async function readWrittenRows(db: Db, task_id: number): Promise<WrittenRows | null> {
  const found = await db
    .selectFrom('written_rows')
    .select(['hashes', 'pending'])
    .where('task_id', '=', task_id)
    .executeTakeFirst()
  return found
    ? { written: RowCounts.parse(found.hashes), pending: found.pending && RowCounts.parse(found.pending) }
    : null
}

/** Stores what the task will have written when this run has, before it writes. */
export async function recordPendingRows(
  trx: Trx,
  task_id: number,
  { written, pending }: { written: RowCounts; pending: RowCounts },
): Promise<void> {
  const values = { hashes: written.stored, pending: pending.stored }
  await trx
    .insertInto('written_rows')
    .values({ task_id, ...values })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet(values))
    .execute()
}

/** Stores what the task has written, in the transaction that ends its run. Null: its rows are no longer matched. */
export async function saveWrittenRows(trx: Trx, task_id: number, written: RowCounts | null): Promise<void> {
  if (written === null) {
    await trx.deleteFrom('written_rows').where('task_id', '=', task_id).execute()
    return
  }
  const values = { hashes: written.stored, pending: null }
  await trx
    .insertInto('written_rows')
    .values({ task_id, ...values })
    .onConflict((conflict) => conflict.column('task_id').doUpdateSet(values))
    .execute()
}
