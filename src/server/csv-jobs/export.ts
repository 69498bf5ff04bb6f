import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { CsvType } from '../../contract/csv-jobs/calls.ts'
import { csvJobServerMessages } from '../../contract/csv-jobs/server-messages.ts'

import type { Actor } from '../platform/audit.ts'
import { type CsvValues, writeCsv } from '../platform/csv/rows.ts'
import type { Db, Trx } from '../platform/db.ts'
import { NamedError } from '../platform/errors.ts'
import type { FileAnswer } from '../platform/http/feature.ts'
import type { Database } from '../platform/schema.ts'
import { completeJob, openJob, type TakenJob } from './jobs.ts'
import { readParts, removeParts, writeParts } from './parts.ts'
import { hasCompleted, type Wait } from './wait.ts'

const RETRY_SECONDS = 10

/** How exports of a type are written: a worker streams the rows. */
export type CsvExport = {
  type: CsvType
  columns: readonly string[]
  /** `task_ids`: only these tasks; null: all. */
  rows: (db: Db, task_ids: readonly number[] | null) => AsyncIterable<CsvValues>
}

type Order = { type: CsvType; filename: string; actor: Actor; task_ids?: readonly number[] }

const Options = z.object({ task_ids: z.optional(z.array(z.int())) })

/**
 * Creates an export job for a worker and returns the file once it is complete. Throws NamedError `export_goes_on` on
 * a timeout, and the signal's reason; the file can be downloaded later in both cases.
 */
export async function exportFile(db: Kysely<Database>, order: Order, wait: Wait): Promise<FileAnswer> {
  const { task_ids, ...job } = order
  const job_id = await openJob(db, { ...job, kind: 'export', options: { task_ids } })
  if (!(await hasCompleted(db, job_id, wait)))
    throw new NamedError('export_goes_on', {
      message: csvJobServerMessages.export_goes_on(job_id),
      retry_after_seconds: RETRY_SECONDS,
    })
  return { content: readParts(db, job_id), filename: order.filename, job_id }
}

type Work = { db: Kysely<Database>; definition: CsvExport; job: TakenJob; signal: AbortSignal }

/** Executes a job; its file is complete when the transaction commits. Throws the signal's reason. */
export async function runExport(trx: Trx, { db, definition, job, signal }: Work): Promise<void> {
  // Parts of an interrupted attempt.
  await removeParts(db, job.id)
  const { task_ids } = Options.parse(job.options)
  let processed_count = 0
  async function* rows() {
    for await (const row of definition.rows(trx, task_ids ?? null)) {
      signal.throwIfAborted()
      processed_count += 1
      yield row
    }
  }
  await writeParts(db, job.id, writeCsv(definition.columns, rows()))
  await completeJob(trx, job.id, { processed_count, summary: { exported: processed_count } })
}
