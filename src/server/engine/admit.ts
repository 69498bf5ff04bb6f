import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Db, Trx } from '../platform/db.ts'
import type { Logger } from '../platform/log.ts'
import { prepared } from '../platform/postgres/client.ts'
import { type AdmissionCandidate, admissible, freeSlots } from './admissible.ts'
import { type JobRef, sendJobs } from './delivery.ts'
import { advanceInputWaits } from './inputs.ts'
import { readUnmet } from './prerequisites.ts'
import { shortTransaction } from './short-transaction.ts'
import { firstPrerequisiteRun, isAttended, isDue, isKeyTaken, readTypeAdmission } from './type-admission.ts'

// An arbitrary advisory lock id, unique in this database.
const ADMISSION_LOCK = 7_269_338

// Changes within this time are admitted together.
const BATCH_WINDOW_MS = 15
const BUSY_MS = 25
const ERROR_RETRY_MS = 1_000
const QUEUED_POLL_MS = 1_000
const IDLE_MS = 5_000

export type Admitter = {
  /** Requests an admission because a run may be able to start. Calls during an admission result in one more. */
  wake: () => void
  stop: () => Promise<void>
}

/** Runs admission when woken, when a delay or retry time ends, and every few seconds in case a notification was lost. */
export function startAdmitter({ db, boss, log }: { db: Db; boss: PgBoss; log: Logger }): Admitter {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | null = null
  let again = false
  let stopped = false

  const round = async (): Promise<number> => {
    for (;;) {
      again = false
      const began = performance.now()
      const admission = await admit(db, boss)
      if (admission.busy) return BUSY_MS
      // Pause at least as long as the admission took, so that with very many types it uses at most half of the time.
      if (admission.changed > 0 || again) await delay(Math.max(BATCH_WINDOW_MS, performance.now() - began))
      else return Math.min(admission.next_in_ms ?? IDLE_MS, admission.waiting ? QUEUED_POLL_MS : IDLE_MS)
    }
  }
  const wake = (): void => {
    again = true
    if (running || stopped) return
    clearTimeout(timer)
    running = round()
      .catch((error: unknown) => {
        log.warn({ err: error }, 'Failed to admit runs; retrying')
        return ERROR_RETRY_MS
      })
      .then((pause) => {
        running = null
        if (!stopped) timer = setTimeout(wake, again ? Math.min(pause, BUSY_MS) : pause)
      })
  }
  wake()
  return {
    wake,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/**
 * `waiting`: there are queued runs. `next_in_ms`: time until the next moment at which a run may start without a notification (a retry
 * time, the end of a type's delay); null if there is none.
 */
export type Admission =
  | { busy: true }
  | { busy: false; changed: number; waiting: boolean; next_in_ms: number | null }

/**
 * Starts the runs that may start now, in one transaction. An advisory lock allows one admission across all processes;
 * `busy` means that another process holds it. The caller must then retry, because the other admission may have read
 * before the latest change.
 */
export async function admit(db: Db, boss: PgBoss): Promise<Admission> {
  await advanceInputWaits(db)
  return shortTransaction(db, (trx) => admitIn(trx, boss))
}

async function admitIn(trx: Trx, boss: PgBoss): Promise<Admission> {
  const lock = await sql<{ mine: boolean; now: Date }>`
    select pg_try_advisory_xact_lock(${ADMISSION_LOCK}) as mine, now() as now`.execute(trx)
  const { mine, now } = lock.rows[0] ?? { mine: false, now: new Date() }
  if (!mine) return { busy: true }
  const types = await readTypes(trx)
  if (types.length === 0) return { busy: false, changed: 0, waiting: false, next_in_ms: null }
  const runs = await readRuns(
    trx,
    types
      .map((type) => ({
        ...type,
        free: freeSlots(type, now),
        first_prerequisite_run: firstPrerequisiteRun(type),
      }))
      .filter(
        ({ free, first_run, first_prerequisite_run }) =>
          free > 0 && first_run < (first_prerequisite_run ?? Infinity),
      ),
  )
  const decision = admissible({ types, runs, now })
  const priorities = new Map(types.map(({ id, priority }) => [id, priority]))
  const spaced = new Set(types.filter((type) => type.queue_delay_seconds > 0).map(({ id }) => id))
  await start(trx, boss, decision.admit, { priorities, spaced })
  await failUnmet(trx, decision.unmet)
  const moments = [decision.next_at, await nextRetry(trx)]
    .filter((moment) => moment !== null)
    .map((moment) => moment.getTime() - now.getTime())
  return {
    busy: false,
    changed: decision.admit.length + decision.unmet.length,
    waiting: true,
    next_in_ms: moments.length ? Math.max(0, Math.min(...moments)) : null,
  }
}

type OpenType = { id: number; free: number; first_prerequisite_run: number | null }

async function readTypes(trx: Trx) {
  const types = (await readTypeAdmission(trx)).filter(({ has_queued }) => has_queued)
  const dependent = types.filter(({ has_prerequisites }) => has_prerequisites).map(({ id }) => id)
  const unmet = await readUnmet(trx, dependent)
  return types.map((type) => ({ ...type, unmet: unmet.get(type.id) ?? [] }))
}

/** When the next failed run may be retried; null if none is waiting. Uses runs_retry_idx. */
async function nextRetry(trx: Trx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date }>`${prepared}
    select not_before as at from runs where state = 'queued' and attempts > 0 and not_before > now()
    order by not_before limit 1`.execute(trx)
  return rows[0]?.at ?? null
}

// Reads runs_admissible_idx until enough candidates are found.
async function readRuns(trx: Trx, open: readonly OpenType[]): Promise<AdmissionCandidate[]> {
  if (open.length === 0) return []
  const { rows } = await sql<AdmissionCandidate>`${prepared}
    select run.* from unnest(${open.map(({ id }) => id)}::int[], ${open.map(({ free }) => free)}::int[],
      ${open.map(({ first_prerequisite_run }) => first_prerequisite_run)}::int[]) as type (id, free, first_prerequisite_run)
    cross join lateral (
      select r.id, type.id as type_id, r.sort_order, r.exclusive_key
      from runs r
      where r.state = 'queued' and coalesce(r.task_type_id, 0) = type.id
        and r.waits_for_run_id is null and ${isDue} and ${isAttended} and not ${isKeyTaken}
        and (type.first_prerequisite_run is null or r.id < type.first_prerequisite_run)
      order by r.sort_order, r.id limit type.free
    ) run`.execute(trx)
  return rows
}

async function start(
  trx: Trx,
  boss: PgBoss,
  run_ids: readonly number[],
  { priorities, spaced }: { priorities: ReadonlyMap<number, number>; spaced: ReadonlySet<number> },
): Promise<void> {
  if (run_ids.length === 0) return
  const jobs = await sql<Omit<JobRef, 'priority'> & { type_id: number }>`${prepared}
    update runs set state = 'running', job_id = gen_random_uuid(), job_retry = null, worker = null,
      phase = '', wait = null, phase_started_at = null, rows_done = 0, rows_total = null, updated_at = now()
    where id = any (${[...run_ids]}::int[]) and state = 'queued'
    returning id as run_id, category, job_id, mounts, coalesce(task_type_id, 0) as type_id`.execute(trx)
  const order = new Map(run_ids.map((id, index) => [id, index]))
  const inOrder = jobs.rows.toSorted((a, b) => (order.get(a.run_id) ?? 0) - (order.get(b.run_id) ?? 0))
  const prioritized = inOrder.map((job) => ({ ...job, priority: priorities.get(job.type_id) ?? 0 }))
  await sendJobs(boss, trx, prioritized)
  // Only types with a delay need the time of their last start, so other rows are not updated.
  const started = jobs.rows.map(({ type_id }) => type_id).filter((id) => spaced.has(id))
  if (started.length > 0)
    await trx
      .updateTable('task_types')
      .set({ last_admitted_at: sql`now()` })
      .where('id', 'in', started)
      .execute()
}

/** Ends runs whose prerequisites are not met. */
async function failUnmet(trx: Trx, unmet: readonly { run_id: number; message: string }[]): Promise<void> {
  if (unmet.length === 0) return
  await sql`
    with ended as (
      update runs r set state = 'failed', error = v.message, finished_at = now(), updated_at = now()
      from unnest(${unmet.map(({ run_id }) => run_id)}::int[], ${unmet.map(({ message }) => message)}::text[])
        as v (id, message)
      where r.id = v.id and r.state = 'queued'
      returning r.id, r.task_id, r.error
    )
    insert into log_entries (task_id, run_id, level, message)
    select task_id, id, 'ERROR', error from ended where task_id is not null`.execute(trx)
}
