import { type Kysely, type Selectable, sql } from 'kysely'
import { z } from 'zod'
import { CsvJob, type CsvType, ImportCounts } from '../../../contract/csv-jobs/calls.ts'
import { csvJobServerMessages } from '../../../contract/csv-jobs/server-messages.ts'

import { allRefused } from '../../csv-jobs/jobs.ts'
import { readParts } from '../../csv-jobs/parts.ts'
import { NamedError } from '../../platform/errors.ts'
import type { FileAnswer } from '../../platform/http/feature.ts'
import type { Database } from '../../platform/schema.ts'

type Db = Kysely<Database>

/** Lists the newest jobs first, by default of all types. Index: csv_jobs_type_idx. */
export async function listCsvJobs(
  db: Db,
  { type, limit }: { type?: CsvType | undefined; limit: number },
): Promise<CsvJob[]> {
  const all = jobs(db).orderBy('id', 'desc').limit(limit)
  const rows = await (type === undefined ? all : all.where('type', '=', type)).execute()
  return rows.map(present)
}

/** Reads one job. Throws NamedError `csv_job_not_found`. */
export async function readCsvJob(db: Db, id: number): Promise<CsvJob> {
  const row = await jobs(db).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NamedError('csv_job_not_found')
  return present(row)
}

/** Reads the result file of a job as CSV. Throws NamedError `csv_job_not_found` or `csv_file_gone`. */
export async function readCsvJobFile(db: Db, id: number): Promise<FileAnswer> {
  const job = await jobs(db).select('file').where('id', '=', id).executeTakeFirst()
  if (job === undefined) throw new NamedError('csv_job_not_found')
  if (!job.has_file) throw new NamedError('csv_file_gone')
  return job.kind === 'export'
    ? { content: readParts(db, id), filename: job.filename }
    : { content: job.file ?? '' }
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
      'warnings',
      'error',
      'actor',
      'created_at',
      'finished_at',
    ])
    .select(
      sql<boolean>`file is not null or (kind = 'export' and status = 'completed'
        and exists (select from csv_file_parts where job_id = csv_jobs.id))`.as('has_file'),
    )

const Refusals = z.object(ImportCounts.shape).partial()

type Row = Omit<
  Selectable<Database['csv_jobs']>,
  'file' | 'created_by' | 'error_code' | 'options' | 'attempts' | 'request_id'
> & {
  has_file: boolean
}

function present({ actor, ...row }: Row): CsvJob {
  const counts = row.kind === 'import' ? Refusals.parse(row.summary) : {}
  const refused = row.status === 'completed' && allRefused(counts)
  return CsvJob.parse({
    ...row,
    job_id: row.id,
    created_by: actor,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    ...(refused && { status: 'failed', error: csvJobServerMessages.all_rows_refused(counts.failed ?? 0) }),
  })
}
