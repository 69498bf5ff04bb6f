import { type Kysely, type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { CsvJob, type CsvType, ImportCounts } from '../../../contract/csv-jobs.ts'
import { messages } from '../../../contract/messages.ts'
import { allRefused, isAbandoned } from '../../platform/csv-jobs.ts'
import { NamedError } from '../../platform/errors.ts'
import type { Database } from '../../platform/schema.ts'

type Db = Kysely<Database>

/** The newest jobs, newest first (index csv_jobs_type_idx); of all types by default. */
export async function listCsvJobs(
  db: Db,
  { type, limit }: { type?: CsvType | undefined; limit: number },
): Promise<CsvJob[]> {
  const all = jobs(db).orderBy('id', 'desc').limit(limit)
  const rows = await (type === undefined ? all : all.where('type', '=', type)).execute()
  return rows.map(present)
}

/** One job. Throws NamedError `csv_job_not_found`. */
export async function readCsvJob(db: Db, id: number): Promise<CsvJob> {
  const row = await jobs(db).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NamedError('csv_job_not_found')
  return present(row)
}

/** What a job leaves to download, as CSV. Throws NamedError `csv_job_not_found` or `csv_file_gone`. */
export async function readCsvJobFile(db: Db, id: number): Promise<string> {
  const row = await db.selectFrom('csv_jobs').select('file').where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NamedError('csv_job_not_found')
  if (row.file === null) throw new NamedError('csv_file_gone')
  return row.file
}

const jobs = (db: Db) =>
  db
    .selectFrom('csv_jobs')
    .select([
      'id',
      'type',
      'kind',
      'status',
      'filename',
      'processed_count',
      'progress',
      'summary',
      'errors',
      'error',
      'actor',
      'created_at',
      'finished_at',
    ])
    .select([sql<boolean>`file is not null`.as('has_file'), isAbandoned.as('abandoned')])

const Summary = z.object(ImportCounts.shape).partial()

type Row = Omit<Selectable<Database['csv_jobs']>, 'file' | 'created_by'> & {
  has_file: boolean
  abandoned: boolean
}

function present({ actor, abandoned, ...row }: Row): CsvJob {
  const { failed = 0, ...counts } = Summary.parse(row.summary)
  const refused = row.kind === 'import' && row.status === 'completed' && allRefused({ ...counts, failed })
  return CsvJob.parse({
    ...row,
    job_id: row.id,
    created_by: actor,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    ...(refused && { status: 'failed', error: messages.all_rows_refused(failed) }),
    ...(abandoned && { status: 'failed', error: messages.import_interrupted, summary: {} }),
  })
}
