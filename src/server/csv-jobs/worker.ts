import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { CsvType } from '../../contract/csv-jobs.ts'
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

/** What this process can do with files, by type. */
export type CsvDefinitions = { imports: readonly CsvImport[]; exports: readonly CsvExport[] }

type Deps = {
  db: Kysely<Database>
  databaseUrl: string
  definitions: CsvDefinitions
  log: Pick<Logger, 'warn' | 'error'>
}
type Lane = {
  kind: CsvKind
  type: CsvType
  run: (trx: Trx, job: TakenJob, signal: AbortSignal) => Promise<void>
  /** The database refused its job: since when, how often, and until when it is left alone, by this process's clock. */
  refused?: { since: number; times: number; until: number } | undefined
}

const MAX_PAUSE_MS = 30_000
// What the database refuses for longer than this is given up.
const PATIENCE_MS = 30 * 60_000

/**
 * Executes CSV jobs: one import and one export at a time here, one of a type and kind at a time across all processes.
 * A job whose process died is begun anew by the next one that looks. `stop` puts back what is at work.
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
  const work = async (lanes: Lane[]): Promise<void> => {
    while (!stopping.signal.aborted) {
      // Whoever calls while the work is done is served afterwards.
      const woken = new AbortController()
      const wake = () => woken.abort()
      wakes.add(wake)
      const busy = await takeOne({ db, log }, lanes, stopping.signal).catch((error: unknown) => {
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

type Hands = Pick<Deps, 'db' | 'log'>

/** Whether there was a job to do in one of the lanes. */
async function takeOne({ db, log }: Hands, lanes: Lane[], signal: AbortSignal): Promise<boolean> {
  const [kind] = lanes.map((lane) => lane.kind)
  if (kind === undefined) return false
  const wanted = await typesWithJobs(db, kind)
  for (const lane of lanes) {
    if (!wanted.includes(lane.type) || (lane.refused && performance.now() < lane.refused.until)) continue
    if (await db.transaction().execute((trx) => executeNext(trx, { db, log }, lane, signal))) return true
  }
  return false
}

async function executeNext(trx: Trx, { db, log }: Hands, lane: Lane, signal: AbortSignal): Promise<boolean> {
  if (!(await acquireJobLock(trx, lane.kind, lane.type))) return false
  const job = await takeJob(db, lane.kind, lane.type)
  if (job === null) return false
  const { id: job_id, request_id } = job
  const ids = { job_id, ...(request_id !== null && { request_id }) }
  return withLogContext(ids, () => executeJob(trx, { db, log }, { lane, job, signal }))
}

async function executeJob(
  trx: Trx,
  { db, log }: Hands,
  { lane, job, signal }: { lane: Lane; job: TakenJob; signal: AbortSignal },
): Promise<boolean> {
  try {
    if (job.attempts > limits.csv_attempts) throw new NamedError('csv_interrupted')
    await attempt(trx, () => lane.run(trx, job, signal))
    lane.refused = undefined
  } catch (error) {
    // No worker was lost: it begins anew after a pause, at no cost to its attempts.
    if (databaseRefusal(error) !== null && !signal.aborted) {
      log.warn({ err: error }, 'The database refused a CSV job; it restarts later')
      if (restedFor(lane) < PATIENCE_MS) {
        await returnRefused(db, job, signal)
        return true
      }
      lane.refused = undefined
      await failJob(trx, job.id, new NamedError('unavailable'))
      return true
    }
    if (signal.aborted) await returnJob(db, job)
    if (signal.aborted || begunAnew(error)) throw error
    if (!(error instanceof NamedError)) log.error({ err: error }, 'A CSV job failed')
    // While the lane is still ours.
    await failJob(trx, job.id, error instanceof NamedError ? error : new NamedError('unexpected'))
  }
  return true
}

/** Lets the lane rest, longer each time, and returns for how long the database has refused its job so far. */
function restedFor(lane: Lane): number {
  const now = performance.now()
  const { since, times } = lane.refused ?? { since: now, times: 0 }
  lane.refused = { since, times: times + 1, until: now + Math.min(MAX_PAUSE_MS, 1000 * 2 ** times) }
  return now - since
}

/** Puts a job back as soon as the database takes that. */
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

// What says nothing of the file.
const begunAnew = (error: unknown): boolean => isDatabaseUnavailable(error) || isDeadlock(error)
