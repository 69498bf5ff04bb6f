import { sql } from 'kysely'
import { type Claim, holds } from './delivery.ts'
import { writeKey } from './exclusive-key.ts'
import { lazily } from './lazily.ts'
import { persist } from './persist.ts'
import type { HeldRun } from './pick-up.ts'
import { progressWriter } from './progress-writer.ts'
import { endWhenSilent } from './short-transaction.ts'
import type { Progress } from './transitions.ts'
import type { Db, RunContext, RunInterruption } from './types.ts'
import { untilAborted } from './until-aborted.ts'
import { addWarning } from './warnings.ts'

/** The signal of one run and the one who sets it off; the first reason stays. */
export type Interrupter = { signal: AbortSignal; interrupt: (kind: RunInterruption['kind']) => void }

/** What the job is given, and how far it said it had come. `close()` lets no more progress out. */
export type OpenContext = { context: RunContext; progress: () => Progress | null; close: () => Promise<void> }

/** The run's side of a job. Every write proves the claim; a claim that is lost interrupts the run. */
export function openContext(db: Db, run: HeldRun, { signal, interrupt }: Interrupter): OpenContext {
  const { claim } = run
  const lost = (): never => {
    interrupt('claim_lost')
    throw signal.reason
  }
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    return untilAborted(work(), signal)
  }
  // The heartbeat interrupts a run for which this takes too long.
  const persistent = <T>(work: () => Promise<T>): Promise<T> => guarded(() => persist(work, signal))
  const assertHeld = async (trx: Db, lock: boolean): Promise<void> => {
    const state = await heldState(trx, claim, lock)
    if (state === null) lost()
    if (state === 'stopping') interrupt('stop')
    signal.throwIfAborted()
  }
  const writer = progressWriter(db, claim, signal, lost)
  const context: RunContext = {
    run: {
      id: run.id,
      task_id: run.task_id,
      task_name: run.task_name,
      definition: run.definition,
      checkpoint: run.checkpoint,
      attempt: run.attempts,
      takeovers: run.takeovers,
      trigger: run.trigger,
      triggered_by: run.triggered_by,
    },
    db,
    signal,
    assertClaim: () => persistent(() => assertHeld(db, false)),
    transaction: (work) =>
      guarded(() =>
        db.transaction().execute(async (trx) => {
          await assertHeld(trx, false)
          const result = await work(trx)
          // Locked only now, for the commit: `work` may take minutes, and progress and stops write to this row.
          await endWhenSilent(trx)
          await assertHeld(trx, true)
          return result
        }),
      ),
    progress: (state) => persistent(() => writer.write(state)),
    checkpoint: (value) =>
      persistent(async () => {
        const { numUpdatedRows } = await db
          .updateTable('runs')
          .set({ checkpoint: JSON.stringify(value), updated_at: sql`now()` })
          .where(holds(claim))
          .executeTakeFirst()
        if (numUpdatedRows !== 1n) lost()
      }),
    log: (level, message) =>
      persistent(async () => {
        const { rows } = await sql`
          insert into log_entries (task_id, run_id, level, message)
          select ${run.task_id}, ${run.id}, ${level}, ${message} from runs where ${holds(claim)}
          returning ${lazily}`.execute(db)
        if (rows.length !== 1) lost()
      }),
    warn: (warning) => persistent(() => addWarning(db, run, warning, lost)),
    wait: writer.wait,
    claimKey: (key) =>
      persistent(async () => {
        if (!(await writeKey(db, claim, { exclusive_key: key }))) lost()
      }),
  }
  return { context, progress: writer.latest, close: writer.close }
}

async function heldState(db: Db, claim: Claim, lock: boolean) {
  const query = db.selectFrom('runs').select('state').where(holds(claim))
  const row = await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()
  return row?.state ?? null
}
