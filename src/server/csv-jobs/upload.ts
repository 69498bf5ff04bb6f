import { createReadStream } from 'node:fs'
import type { Kysely } from 'kysely'
import type { CsvType } from '../../contract/csv-jobs/calls.ts'
import { csvJobServerMessages } from '../../contract/csv-jobs/server-messages.ts'

import type { Actor } from '../platform/audit.ts'
import { type CsvShape, readCsv } from '../platform/csv/rows.ts'
import { plainText } from '../platform/csv/text.ts'
import { NamedError } from '../platform/errors.ts'
import type { ReceivedFile } from '../platform/http/upload.ts'
import type { Database } from '../platform/schema.ts'
import { failJob, openJob } from './jobs.ts'
import { writeParts } from './parts.ts'

type Upload = { type: CsvType; shape: CsvShape; actor: Actor; upload: ReceivedFile }

/**
 * Stores a CSV file with an import job and returns the job's id; from then on the import does not depend on this
 * process. If the file's name, text or header is invalid for this shape, records a failed job and throws NamedError.
 */
export async function acceptImport(db: Kysely<Database>, given: Upload): Promise<number> {
  const { type, shape, actor, upload } = given
  if (upload.content_type !== 'text/csv' && !/\.csv$/i.test(upload.filename)) {
    throw new NamedError('csv_wanted', { field: 'file' })
  }
  const job = { type, kind: 'import', filename: upload.filename, actor, options: upload.options } as const
  try {
    await requireRows(upload.path, shape)
    return await db.transaction().execute(async (trx) => {
      const job_id = await openJob(trx, job)
      await writeParts(trx, job_id, plainText(createReadStream(upload.path)))
      return job_id
    })
  } catch (error) {
    if (error instanceof NamedError) {
      await db.transaction().execute(async (trx) => failJob(trx, await openJob(trx, job), error))
    }
    throw error
  }
}

async function requireRows(path: string, shape: CsvShape): Promise<void> {
  for await (const _ of readCsv(createReadStream(path), shape)) return
  throw new NamedError('csv_invalid', { message: csvJobServerMessages.import_empty, field: 'file' })
}
