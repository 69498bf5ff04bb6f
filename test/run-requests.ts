import { queueRunsIn } from '../src/server/engine/many-runs.ts'
import { changeDefinition, type Queued, queueRunIn } from '../src/server/engine/queue-run.ts'
import { durableTransaction } from '../src/server/engine/short-transaction.ts'
import { type Stopped, stopRunIn } from '../src/server/engine/stop-run.ts'
import type { RunHandler, Trigger } from '../src/server/engine/types.ts'
import type { Db } from '../src/server/platform/db.ts'

export const byAda: Trigger = { kind: 'manual', label: 'ada@example.com', user_id: null }

/** Queues a run of a task, as a person’s press does, which does otherwise than the task says what `definition` says; without a handler for it the worker that has one reads the definition. */
export const queueRun = (
  db: Db,
  handlers: readonly RunHandler[],
  task_id: number,
  definition?: object,
): Promise<Queued> =>
  durableTransaction(db, async (trx) => {
    const queued = await queueRunIn(trx, handlers, { task_id, trigger: byAda })
    if (queued.ok && definition !== undefined) await changeDefinition(trx, queued.run_id, definition)
    return queued
  })

/** Queues a run of every active task, as Run pipeline does. */
export const queuePipeline = (db: Db, handlers: readonly RunHandler[]) =>
  durableTransaction(db, (trx) => queueRunsIn(trx, handlers, { category: 'all' }, byAda))

/** Stops a task, as a person’s press does. */
export const stopRun = (db: Db, task_id: number, by = 'bob@example.com'): Promise<Stopped> =>
  durableTransaction(db, (trx) => stopRunIn(trx, task_id, by))
