import { buffer } from 'node:stream/consumers'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CsvRowError, CsvType, ImportCounts } from '../../contract/csv-jobs.ts'
import type { Actor } from './audit.ts'
import { writeCsv } from './csv.ts'
import type { Database } from './schema.ts'

type Db = Kysely<Database>

// Advisory locks of two numbers: one of these, and which.
const TYPE_LOCK = 7_269_341
const JOB_LOCK = 7_269_342
// What jobs leave to download is theirs for so many jobs of a type.
const FILES_KEPT = 20

type NewJob = { type: CsvType; kind: 'import' | 'export'; filename: string; actor: Actor }

/** Records a job that is about to begin; returns its id. */
export async function openJob(db: Db, { type, kind, filename, actor }: NewJob): Promise<number> {
  const { id } = await db
    .insertInto('csv_jobs')
    .values({ type, kind, filename, created_by: actor.id, actor: actor.email })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    update csv_jobs set file = null where file is not null and id in (
      select id from csv_jobs where type = ${type} order by id desc offset ${FILES_KEPT}
    )`.execute(db)
  return id
}

/**
 * Whether the transaction is the only one at work on files of this type, across all processes, until it ends.
 * If so it also holds the lock by which its job is known to be alive.
 */
export async function aloneInType(
  trx: Transaction<Database>,
  type: CsvType,
  job_id: number,
): Promise<boolean> {
  const { rows } = await sql<{ alone: boolean }>`
    select pg_try_advisory_xact_lock(${TYPE_LOCK}::int, hashtext(${type})) as alone`.execute(trx)
  if (rows[0]?.alone !== true) return false
  await sql`select pg_advisory_xact_lock(${JOB_LOCK}::int, ${job_id}::int)`.execute(trx)
  return true
}

/** How far a job is, for whoever watches it; on another connection than the job's own transaction. `part` is 0 to 1. */
export async function reportProgress(
  db: Db,
  id: number,
  { part, ...counts }: ImportCounts & { part: number },
): Promise<void> {
  await db
    .updateTable('csv_jobs')
    .set({
      status: 'running',
      processed_count: counts.created + counts.updated + counts.unchanged + counts.failed,
      progress: Math.min(99, Math.round(part * 100)),
      summary: JSON.stringify(counts),
    })
    .where('id', '=', id)
    .execute()
}

/** Whether an import kept nothing, since each of its rows was refused. */
export const allRefused = ({ created = 0, updated = 0, unchanged = 0, failed = 0 }: Partial<ImportCounts>) =>
  failed > 0 && created + updated + unchanged === 0

/** Ends a job well, with the commit of the transaction that did its work. Refused rows are left to download. */
export async function completeJob(
  trx: Transaction<Database>,
  id: number,
  { counts, errors }: { counts: ImportCounts; errors: CsvRowError[] },
): Promise<void> {
  await trx
    .updateTable('csv_jobs')
    .set({
      status: 'completed',
      progress: 100,
      processed_count: counts.created + counts.updated + counts.unchanged + counts.failed,
      summary: JSON.stringify(counts),
      errors: JSON.stringify(errors),
      file: errors.length > 0 ? await asCsv(errors) : null,
      finished_at: sql`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Ends a job of which nothing was kept, and says why. */
export async function failJob(db: Db, id: number, error: string): Promise<void> {
  await db
    .updateTable('csv_jobs')
    .set({ status: 'failed', error, summary: '{}', finished_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

/** SQL: whether the process that ran an unfinished job of `csv_jobs` is gone. */
export const isAbandoned: RawBuilder<boolean> = sql<boolean>`(
  (csv_jobs.status = 'running' or (csv_jobs.status = 'pending' and csv_jobs.created_at < now() - interval '2 minutes'))
  and not exists (
    select from pg_locks
    where locktype = 'advisory' and objsubid = 2 and classid = ${sql.lit(JOB_LOCK)} and objid = csv_jobs.id::oid
      and database = (select oid from pg_database where datname = current_database())
  ))`

async function asCsv(errors: CsvRowError[]): Promise<string> {
  async function* rows() {
    yield* errors
  }
  return (await buffer(writeCsv(['row', 'field', 'message'], rows()))).toString()
}
