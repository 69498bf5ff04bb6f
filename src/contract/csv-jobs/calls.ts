import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { digits, Id, IdParams, Moment } from '../fields.ts'
import { limits } from '../limits.ts'

/** An error or warning about a row of a file. `row` counts as in a spreadsheet: the header is row 1. */
export const CsvRowError = z.object({ row: z.int(), field: z.nullable(z.string()), message: z.string() })
export type CsvRowError = z.infer<typeof CsvRowError>

/** Kind of the rows of a file. */
export const CsvType = z.enum([
  'sync_task',
  'sync_task_type',
  'source_task',
  'source_task_type',
  'compiler_task',
])
export type CsvType = z.infer<typeof CsvType>

/** Row counts of an import by result. */
export const ImportCounts = z.object({
  created: z.int(),
  updated: z.int(),
  /** Rows equal to the stored ones. */
  unchanged: z.int(),
  /** Existing rows that the import did not change, as requested. */
  skipped: z.optional(z.int()),
  failed: z.int(),
})
export type ImportCounts = z.infer<typeof ImportCounts>

/**
 * Reply of an import. `status` is `success`, `partial_success` (some rows were rejected) or `failed` (all were);
 * `errors` are the first rejected rows.
 */
export const ImportReply = z.object({
  status: z.string(),
  message: z.string(),
  job_id: Id,
  ...ImportCounts.shape,
  errors: z.array(CsvRowError),
})
export type ImportReply = z.infer<typeof ImportReply>

/** An import that continues after the reply; its job has the result. */
const ImportGoesOn = z.object({ status: z.literal('running'), message: z.string(), job_id: Id })

/** Minimum reply of an import call that the web accepts. */
export const AnyImportReply = z.union([
  ImportReply,
  ImportGoesOn,
  z.pick(ImportReply, { status: true, message: true }),
])
export type AnyImportReply = z.infer<typeof AnyImportReply>

/** An import or export of a CSV file, live or ended. `id` and `job_id` are equal. */
export const CsvJob = z.object({
  id: Id,
  job_id: Id,
  type: CsvType,
  kind: z.enum(['import', 'export']),
  status: z.enum(['pending', 'running', 'completed', 'failed']),
  filename: z.string(),
  processed_count: z.int(),
  /** Percent of the file. */
  progress: z.int(),
  summary: z.record(z.string(), z.int()),
  errors: z.array(CsvRowError),
  /** Warnings about accepted rows, the first ones. */
  warnings: z.array(CsvRowError),
  /** Error of the whole job. */
  error: z.nullable(z.string()),
  /** Whether it has a file to download. */
  has_file: z.boolean(),
  created_by: z.string(),
  created_at: Moment,
  finished_at: z.nullable(Moment),
})
export type CsvJob = z.infer<typeof CsvJob>

const ListQuery = z.strictObject({
  type: z.optional(CsvType),
  limit: z._default(digits('limit', 1, limits.csv_jobs_max), limits.csv_jobs_shown),
})

/** API calls for CSV jobs. */
export const csvJobs = {
  list: {
    method: 'GET',
    path: '/csv_jobs/api/csv_import_export_jobs',
    summary: 'The newest CSV imports and exports, newest first',
    query: ListQuery,
    reply: z.array(CsvJob),
  },
  get: {
    method: 'GET',
    path: '/api/csv_jobs/:id',
    summary: 'Progress or result of a CSV import or export',
    params: IdParams,
    reply: CsvJob,
  },
  getByOldPath: {
    method: 'GET',
    path: '/csv_jobs/:id',
    summary: 'The same as /api/csv_jobs/:id',
    params: IdParams,
    reply: CsvJob,
  },
  download: {
    method: 'GET',
    path: '/api/csv_jobs/:id/download',
    summary: 'CSV file of a job: the exported rows, or the refused rows of an import',
    params: IdParams,
    download: { content_type: 'text/csv; charset=utf-8', filename: 'csv_job.csv' },
  },
} satisfies Calls
