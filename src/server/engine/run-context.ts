import { sql } from 'kysely'
import { type Claim, holds } from './delivery.ts'
import { writeKey } from './exclusive-key.ts'
import { lazily } from './lazily.ts'
import { persist } from './persist.ts'
import type { HeldRun } from './pick-up.ts'
import { endWhenSilent } from './short-transaction.ts'
import type { Progress } from './transitions.ts'
import type { Db, RunContext, RunInterruption } from './types.ts'
import { untilAborted } from './until-aborted.ts'

const PROGRESS_EVERY_MS = 500

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

// At most one write in half a second, the latest state; what is still unwritten at the end goes out with the ending.
function progressWriter(db: Db, claim: Claim, signal: AbortSignal, lost: () => never) {
  let latest: Progress | null = null
  let written_at = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const put = async ({ phase, rows_done, rows_total }: Progress): Promise<void> => {
    written_at = performance.now()
    const written = await db
      .updateTable('runs')
      .set({
        phase,
        rows_done,
        rows_total,
        phase_started_at: sql<Date>`case when phase = ${phase} then phase_started_at else now() end`,
        updated_at: sql`now()`,
      })
      .where(holds(claim))
      .returning(lazily.as('no_wait'))
      .executeTakeFirst()
    if (!written) lost()
  }
  return {
    latest: () => latest,
    write: async (state: Partial<Progress>): Promise<void> => {
      latest = { phase: '', rows_done: 0, rows_total: null, ...latest, ...state }
      const wait = written_at + PROGRESS_EVERY_MS - performance.now()
      if (timer) return
      if (wait <= 0) return put(latest)
      timer = setTimeout(() => {
        timer = undefined
        // A write that fails here says nothing that the run's next step does not find out for itself.
        if (latest && !signal.aborted) writing = untilAborted(put(latest), signal).catch(() => {})
      }, wait)
    },
    close: async (): Promise<void> => {
      clearTimeout(timer)
      timer = undefined
      await writing
    },
  }
}
