import { sql } from 'kysely'
import type { Db } from '../platform/db.ts'
import { asyncCommit } from './async-commit.ts'
import { type Lease, type LeasedRun, leaseIsAlive } from './delivery.ts'
import { writeKey } from './exclusive-key.ts'
import { progressWriter } from './progress-writer.ts'
import { retryWhileDatabaseDown } from './retry-while-database-down.ts'
import { endWhenSilent } from './short-transaction.ts'
import type { Progress } from './transitions.ts'
import type { RunContext, RunInterruption } from './types.ts'
import { untilAborted } from './until-aborted.ts'
import { addWarning } from './warnings.ts'

/** A run's abort signal and the function that triggers it; the first reason wins. */
export type Interrupter = { signal: AbortSignal; interrupt: (kind: RunInterruption['kind']) => void }

/** The context for the handler, and its latest progress. After `close()` no more progress is written. */
export type OpenContext = { context: RunContext; progress: () => Progress | null; close: () => Promise<void> }

/** A handler's interface to its run. Every write proves the lease; a lost lease interrupts the run. */
export function openContext(db: Db, run: LeasedRun, { signal, interrupt }: Interrupter): OpenContext {
  const { lease } = run
  const lost = (): never => {
    interrupt('lease_lost')
    throw signal.reason
  }
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return untilAborted(work(), signal)
  }
  // If this takes too long, the missing heartbeat interrupts the run.
  const retrying = <T>(work: () => Promise<T>): Promise<T> =>
    guarded(() => retryWhileDatabaseDown(work, signal))
  const assertLease = async (trx: Db, lock: boolean): Promise<void> => {
    const state = await leasedState(trx, lease, lock)
    if (state === null) lost()
    if (state === 'stopping') interrupt('stop')
    signal.throwIfAborted()
  }
  const writer = progressWriter(db, lease, signal, lost)
  const context: RunContext = {
    run: {
      id: run.id,
      task_id: run.task_id,
      definition: run.definition,
      checkpoint: run.checkpoint,
    },
    db,
    signal,
    assertLease: () => retrying(() => assertLease(db, false)),
    transaction: (work) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          await assertLease(trx, false)
          const result = await work(trx)
          // Locks the row only for the commit: `work` may take minutes, while progress and stop requests update the
          // row.
          await endWhenSilent(trx)
          await assertLease(trx, true)
          return result
        }),
      ),
    progress: (state) => retrying(() => writer.write(state)),
    checkpoint: (value) =>
      retrying(async () => {
        const { numUpdatedRows } = await db
          .updateTable('runs')
          .set({ checkpoint: JSON.stringify(value), updated_at: sql`now()` })
          .where(leaseIsAlive(lease))
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) lost()
      }),
    log: (level, message) =>
      retrying(async () => {
        const { rows } = await sql`
          insert into log_entries (task_id, run_id, level, message)
          select ${run.task_id}, ${run.id}, ${level}, ${message} from runs where ${leaseIsAlive(lease)}
          returning ${asyncCommit}`.execute(db)
        if (rows.length !== 1) lost()
      }),
    warn: (warning) => retrying(() => addWarning(db, run, warning, lost)),
    wait: writer.wait,
    lockKey: (key) =>
      retrying(async () => {
        if (!(await writeKey(db, lease, { exclusive_key: key }))) lost()
      }),
  }
  return { context, progress: writer.latest, close: writer.close }
}

async function leasedState(db: Db, lease: Lease, lock: boolean) {
  const query = db.selectFrom('runs').select('state').where(leaseIsAlive(lease))
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row?.state ?? null
}
