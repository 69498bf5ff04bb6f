import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { CsvType } from '../../contract/csv-jobs/calls.ts'
import { limits } from '../../contract/limits.ts'
import type { Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import type { Logger } from '../platform/log.ts'
import { withLogContext } from '../platform/log-context.ts'
import { listenForEvents } from '../platform/notify.ts'
import { databaseRefusal, isDatabaseUnavailable, isDeadlock } from '../platform/postgres/errors.ts'
import type { Database } from '../platform/schema.ts'
import { type CsvExport, runExport } from './export.ts'
import { attempt, type CsvImport, runImport } from './import.ts'
import {
  acquireJobLock,
  type CsvKind,
  failJob,
  returnJob,
  type TakenJob,
  takeJob,
  typesWithJobs,
} from './jobs.ts'

const POLL_MS = 1_000

/** The imports and exports of this process, by type. */
export type CsvDefinitions = { imports: readonly CsvImport[]; exports: readonly CsvExport[] }

type Deps = {
  db: Kysely<Database>
  databaseUrl: string
  definitions: CsvDefinitions
  log: Pick<Logger, 'warn' | 'error'>
}
type JobKind = {
  kind: CsvKind
  type: CsvType
  run: (trx: Trx, job: TakenJob, signal: AbortSignal) => Promise<void>
  /** Refusals of the database: since when, how often, and when to retry, by this process's clock. */
  refused?: { since: number; times: number; until: number } | undefined
}

const MAX_PAUSE_MS = 30_000
// A job fails after the database has refused it for this long.
const MAX_REFUSED_MS = 30 * 60_000

/**
 * Executes CSV jobs: one import and one export at a time in this process, one per type and kind across all processes.
 * Another process restarts a job whose process died. `stop` returns running jobs to the queue.
 */
export function startCsvWorker({ db, databaseUrl, definitions, log }: Deps): { stop: () => Promise<void> } {
  const stopping = new AbortController()
  const wakes = new Set<() => void>()
  const wakeAll = () => {
    for (const wake of wakes) wake()
  }
  const listening = listenForEvents(
    databaseUrl,
    (notice) => {
      if (notice.kind === 'csv_jobs') wakeAll()
    },
    { onGap: wakeAll },
  )
  const work = async (jobKinds: JobKind[]): Promise<void> => {
    while (!stopping.signal.aborted) {
      // A wake-up during the work leads to another look for jobs.
      const woken = new AbortController()
      const wake = () => woken.abort()
      wakes.add(wake)
      const busy = await takeOne({ db, log }, jobKinds, stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) log.warn({ err: error }, 'A CSV job was interrupted; it restarts')
        return false
      })
      const over = AbortSignal.any([woken.signal, stopping.signal])
      if (!busy) await pause(POLL_MS, undefined, { signal: over }).catch(() => {})
      wakes.delete(wake)
    }
  }
  const done = Promise.all([
    work(
      definitions.imports.map((definition) => ({
        kind: 'import',
        type: definition.type,
        run: (trx, job, signal) => runImport(trx, { db, definition, job, signal }),
      })),
    ),
    work(
      definitions.exports.map((definition) => ({
        kind: 'export',
        type: definition.type,
        run: (trx, job, signal) => runExport(trx, { db, definition, job, signal }),
      })),
    ),
  ])
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([done, listening.close()])
    },
  }
}

type WorkerDeps = Pick<Deps, 'db' | 'log'>

/** Whether there was a job to execute. */
async function takeOne({ db, log }: WorkerDeps, jobKinds: JobKind[], signal: AbortSignal): Promise<boolean> {
  const [kind] = jobKinds.map((jobKind) => jobKind.kind)
  if (kind === undefined) return false
  const wanted = await typesWithJobs(db, kind)
  for (const jobKind of jobKinds) {
    if (!wanted.includes(jobKind.type) || (jobKind.refused && performance.now() < jobKind.refused.until))
      continue
    if (await db.transaction().execute((trx) => executeNext(trx, { db, log }, jobKind, signal))) return true
  }
  return false
}

async function executeNext(
  trx: Trx,
  { db, log }: WorkerDeps,
  jobKind: JobKind,
  signal: AbortSignal,
): Promise<boolean> {
  if (!(await acquireJobLock(trx, jobKind.kind, jobKind.type))) return false
  const job = await takeJob(db, jobKind.kind, jobKind.type)
  if (job === null) return false
  const { id: job_id, request_id } = job
  const ids = { job_id, ...(request_id !== null && { request_id }) }
  return withLogContext(ids, () => executeJob(trx, { db, log }, { jobKind, job, signal }))
}

async function executeJob(
  trx: Trx,
  { db, log }: WorkerDeps,
  { jobKind, job, signal }: { jobKind: JobKind; job: TakenJob; signal: AbortSignal },
): Promise<boolean> {
  try {
    if (job.attempts > limits.csv_attempts) throw new NamedError('csv_interrupted')
    await attempt(trx, () => jobKind.run(trx, job, signal))
    jobKind.refused = undefined
  } catch (error) {
    // The worker is alive, so the attempt does not count; the job restarts after a pause.
    if (databaseRefusal(error) !== null && !signal.aborted) {
      log.warn({ err: error }, 'The database refused a CSV job; it restarts later')
      if (pauseKind(jobKind) < MAX_REFUSED_MS) {
        await returnRefused(db, job, signal)
        return true
      }
      jobKind.refused = undefined
      await failJob(trx, job.id, new NamedError('unavailable'))
      return true
    }
    if (signal.aborted) await returnJob(db, job)
    if (signal.aborted || mustRestart(error)) throw error
    if (!(error instanceof NamedError)) log.error({ err: error }, 'A CSV job failed')
    // While this process still holds the job lock.
    await failJob(trx, job.id, error instanceof NamedError ? error : new NamedError('unexpected'))
  }
  return true
}

/** Pauses this kind of job, longer each time, and returns for how long the database has refused it. */
function pauseKind(jobKind: JobKind): number {
  const now = performance.now()
  const { since, times } = jobKind.refused ?? { since: now, times: 0 }
  jobKind.refused = { since, times: times + 1, until: now + Math.min(MAX_PAUSE_MS, 1000 * 2 ** times) }
  return now - since
}

/** Returns a job to the queue as soon as the database accepts that. */
async function returnRefused(db: Kysely<Database>, job: TakenJob, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await returnJob(db, job)
    } catch (error) {
      if (signal.aborted || databaseRefusal(error) === null) throw error
    }
    await pause(POLL_MS, undefined, { signal })
  }
}

// Errors that are not caused by the file.
const mustRestart = (error: unknown): boolean => isDatabaseUnavailable(error) || isDeadlock(error)
