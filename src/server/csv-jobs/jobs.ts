import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import type { CsvRowError, CsvType, ImportCounts } from '../../contract/csv-jobs/calls.ts'
import { type ErrorName, errors } from '../../contract/errors.ts'
import type { Actor } from '../platform/audit.ts'
import type { Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import { requestId } from '../platform/log-context.ts'
import { notify } from '../platform/notify.ts'
import type { Database } from '../platform/schema.ts'

type Db = Kysely<Database>

export type CsvKind = 'import' | 'export'

// An arbitrary advisory lock id, unique in this database.
const JOB_LOCK = 7_269_341

type NewJob = { type: CsvType; kind: CsvKind; filename: string; actor: Actor; options?: object }

/** Creates a job, which workers are notified of when the transaction commits; returns its id. */
export async function openJob(
  db: Db,
  { type, kind, filename, actor, options = {} }: NewJob,
): Promise<number> {
  const { id } = await db
    .insertInto('csv_jobs')
    .values({
      type,
      kind,
      filename,
      created_by: actor.id,
      actor: actor.email,
      options: JSON.stringify(options),
      request_id: requestId(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await notify(db, { kind: 'csv_jobs' })
  return id
}

/** A job that a worker executes, for the `attempts`th time. */
export type TakenJob = {
  id: number
  filename: string
  options: unknown
  attempts: number
  actor: Actor
  request_id: string | null
}

/** The types with unfinished jobs of a kind (index csv_jobs_unfinished_idx). */
export async function typesWithJobs(db: Db, kind: CsvKind): Promise<string[]> {
  const rows = await db
    .selectFrom('csv_jobs')
    .select('type')
    .distinct()
    .where('status', 'in', ['pending', 'running'])
    .where('kind', '=', kind)
    .execute()
  return rows.map(({ type }) => type)
}

/**
 * Acquires the lock of a kind and type for the transaction; false if another process holds it. With the lock, a job
 * in state `running` has lost its process.
 */
export async function acquireJobLock(trx: Trx, kind: CsvKind, type: CsvType): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(${JOB_LOCK}::int, hashtext(${kind === 'import' ? type : `${kind} ${type}`})) as alone,
      set_config('idle_in_transaction_session_timeout', '60s', true)`.execute(trx)
  return rows[0]?.alone === true
}

/**
 * Starts the oldest job of a kind and type whose lock the caller holds. Uses another connection, so that the attempt
 * counts whatever happens; null if there is none.
 */
export async function takeJob(db: Db, kind: CsvKind, type: CsvType): Promise<TakenJob | null> {
  const { rows } = await sql<Omit<TakenJob, 'actor'> & { actor: string; created_by: number }>`
    update csv_jobs
    set status = 'running', attempts = attempts + 1, processed_count = 0, progress = 0, summary = '{}'
    where id = (
      select id from csv_jobs j
      where status in ('pending', 'running') and kind = ${kind} and type = ${type}
        and (kind = 'export' or exists (select from csv_file_parts where job_id = j.id))
      order by id limit 1
    )
    returning id, filename, options, attempts, created_by, actor, request_id`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { created_by, actor, ...job } = row
  return { ...job, actor: { id: created_by, email: actor } }
}

/** Returns an unfinished job to the queue; this attempt does not count. */
export async function returnJob(db: Db, { id, attempts }: TakenJob): Promise<void> {
  await db
    .updateTable('csv_jobs')
    .set({ status: 'pending', attempts: attempts - 1 })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempts)
    .execute()
  await notify(db, { kind: 'csv_jobs' })
}

/** Reports the progress of a job, on another connection than its transaction. `part` is 0 to 1. */
export async function reportProgress(
  db: Db,
  { id, attempts }: TakenJob,
  { part, ...counts }: ImportCounts & { part: number },
): Promise<void> {
  await db
    .updateTable('csv_jobs')
    .set({
      processed_count: totalOf(counts),
      progress: Math.min(99, Math.round(part * 100)),
      summary: JSON.stringify(counts),
    })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .where('attempts', '=', attempts)
    .execute()
}

type Outcome = {
  processed_count: number
  summary?: object
  errors?: CsvRowError[]
  warnings?: CsvRowError[]
  /** A file to download, in addition to the job's parts. */
  file?: string | null
}

/** Marks a job as completed, in the transaction that did its work. */
export async function completeJob(
  trx: Db,
  id: number,
  { summary = {}, errors: refused = [], warnings = [], file = null, processed_count }: Outcome,
): Promise<void> {
  await trx
    .updateTable('csv_jobs')
    .set({
      status: 'completed',
      progress: 100,
      processed_count,
      summary: JSON.stringify(summary),
      errors: JSON.stringify(refused),
      warnings: JSON.stringify(warnings),
      file,
      finished_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Marks a job as failed, with the reason, and deletes its file. */
export async function failJob(db: Db, id: number, reason: NamedError): Promise<void> {
  await db
    .updateTable('csv_jobs')
    .set({
      status: 'failed',
      error: reason.message,
      error_code: reason.code,
      processed_count: 0,
      summary: '{}',
      finished_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
  await db.deleteFrom('csv_file_parts').where('job_id', '=', id).execute()
}

/** Number of rows of an import that have a result. */
export const totalOf = ({ created, updated, unchanged, skipped = 0, failed }: ImportCounts): number =>
  created + updated + unchanged + skipped + failed

/** Whether an import changed nothing because every row was rejected. */
export const allRefused = ({
  created = 0,
  updated = 0,
  unchanged = 0,
  skipped = 0,
  failed = 0,
}: Partial<ImportCounts>) => failed > 0 && created + updated + unchanged + skipped === 0

const Code = z.custom<ErrorName>((code) => typeof code === 'string' && Object.hasOwn(errors, code))

/** The error of a failed job, as its call reports it. */
export const failureOf = ({ error, error_code }: { error: string | null; error_code: string | null }) => {
  const code = Code.safeParse(error_code)
  const message = error ?? errors.unexpected.message
  return code.success ? new NamedError(code.data, { message, field: 'file' }) : new NamedError('unexpected')
}
