import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { CsvRowError, ImportCounts, type ImportReply } from '../../contract/csv-jobs/calls.ts'
import { csvJobMessages } from '../../contract/csv-jobs/client-messages.ts'
import { csvJobServerMessages } from '../../contract/csv-jobs/server-messages.ts'

import type { Database } from '../platform/schema.ts'
import { allRefused, failureOf } from './jobs.ts'

const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

type Db = Kysely<Database>
/** How long a call waits for its job: up to `limit_ms`, or until its caller disconnects. */
export type Wait = { limit_ms: number; signal: AbortSignal }
type Job = Pick<
  Selectable<Database['csv_jobs']>,
  'id' | 'status' | 'summary' | 'errors' | 'error' | 'error_code'
>

/**
 * Whether the job has completed; false if it is still running at the limit. Throws the job's error, and the signal's
 * reason.
 */
export async function hasCompleted(db: Db, id: number, wait: Wait): Promise<boolean> {
  return (await completedJob(db, id, wait)) !== null
}

/** The reply to an import: its result, or that it is still running. Throws the job's error, and the signal's reason. */
export async function importReply(db: Db, job_id: number, wait: Wait) {
  const job = await completedJob(db, job_id, wait)
  if (job === null)
    return { status: 'running', message: csvJobServerMessages.import_goes_on(job_id), job_id } as const
  const counts = ImportCounts.parse(job.summary)
  return { ...verdict(counts), job_id, ...counts, errors: z.array(CsvRowError).parse(job.errors) }
}

// Polls, so that a waiting call holds no connection.
async function completedJob(db: Db, id: number, { limit_ms, signal }: Wait): Promise<Job | null> {
  const deadline = performance.now() + limit_ms
  for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 1.1, MAX_PAUSE_MS)) {
    const job = await db
      .selectFrom('csv_jobs')
      .select(['id', 'status', 'summary', 'errors', 'error', 'error_code'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (job.status === 'failed') throw failureOf(job)
    if (job.status === 'completed') return job
    if (performance.now() > deadline) return null
    await pause(ms, undefined, { signal })
  }
}

function verdict(counts: ImportCounts): Pick<ImportReply, 'status' | 'message'> {
  const done = csvJobMessages.import_counts(counts)
  if (counts.failed === 0) return { status: 'success', message: done }
  if (allRefused(counts))
    return { status: 'failed', message: csvJobServerMessages.all_rows_refused(counts.failed) }
  return { status: 'partial_success', message: `${done}, ${csvJobMessages.rows_refused(counts.failed)}` }
}
