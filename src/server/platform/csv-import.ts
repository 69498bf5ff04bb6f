import { createReadStream } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { CsvRowError, CsvType, ImportCounts, ImportReply } from '../../contract/csv-jobs.ts'
import { limits } from '../../contract/limits.ts'
import { messages } from '../../contract/messages.ts'
import { type Actor, audit } from './audit.ts'
import { type CsvRow, type CsvShape, readCsv } from './csv.ts'
import { allRefused, aloneInType, completeJob, failJob, openJob, reportProgress } from './csv-jobs.ts'
import { NamedError } from './errors.ts'
import type { ReceivedFile } from './http/upload.ts'
import type { Database } from './schema.ts'

/** What became of a row. */
export type RowOutcome = 'created' | 'updated' | 'unchanged' | { field: string | null; message: string }

/** A row that could be read. */
export type ReadableRow = Extract<CsvRow, { cells: unknown }>

type Import = {
  db: Kysely<Database>
  actor: Actor
  upload: ReceivedFile
  type: CsvType
  shape: CsvShape
  /** Writes a batch of rows in the transaction of the whole import; returns what became of each, in their order. */
  apply: (trx: Transaction<Database>, rows: ReadableRow[]) => Promise<RowOutcome[]>
}

const ROWS_AT_A_TIME = 250
const LONGEST_WAIT_MS = 60_000
const WAIT_MS = 200
// While the import is under way, PostgreSQL keeps every version of the job's row: few of them, or each update gets slower.
const REPORT_EVERY_MS = 1_000

/**
 * Imports a CSV file in one transaction: rows that are refused are left out and told, with anything worse nothing is kept.
 * Imports of a type take turns. Throws NamedError on a file that is no CSV of this shape, and `import_running` after
 * a minute of waiting. Either way there is a job that says how it ended.
 */
export async function importCsv(work: Import): Promise<ImportReply> {
  const { db, upload } = work
  if (upload.content_type !== 'text/csv' && !/\.csv$/i.test(upload.filename)) {
    throw new NamedError('csv_wanted', { field: 'file' })
  }
  const job_id = await openJob(db, { ...work, kind: 'import', filename: upload.filename })
  try {
    const deadline = Date.now() + LONGEST_WAIT_MS
    for (;;) {
      const reply = await db.transaction().execute((trx) => importAlone(trx, work, job_id))
      if (reply !== 'busy') return reply
      if (Date.now() > deadline) throw new NamedError('import_running')
      // Waits without a connection: those are for the pages.
      await pause(WAIT_MS)
    }
  } catch (error) {
    await failJob(db, job_id, error instanceof NamedError ? error.message : messages.unexpected)
    throw error
  }
}

async function importAlone(
  trx: Transaction<Database>,
  work: Import,
  job_id: number,
): Promise<ImportReply | 'busy'> {
  if (!(await aloneInType(trx, work.type, job_id))) return 'busy'
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const errors: CsvRowError[] = []
  let rows: CsvRow[] = []
  let reported_at = Number.NEGATIVE_INFINITY
  const source = createReadStream(work.upload.path)
  const finishBatch = async () => {
    const readable = rows.filter((row) => 'cells' in row)
    const outcomes = readable.length > 0 ? await work.apply(trx, readable) : []
    const ends = new Map(readable.map((row, index) => [row, outcomes[index]]))
    for (const row of rows) count(row, 'problem' in row ? problemOf(row.problem) : ends.get(row))
    rows = []
    if (performance.now() - reported_at < REPORT_EVERY_MS) return
    reported_at = performance.now()
    await reportProgress(work.db, job_id, { ...counts, part: source.bytesRead / work.upload.bytes })
  }
  const count = ({ row }: CsvRow, outcome: RowOutcome | undefined) => {
    if (outcome === undefined) throw new TypeError('A row without an outcome')
    if (typeof outcome === 'string') counts[outcome] += 1
    else {
      counts.failed += 1
      if (errors.length < limits.csv_errors_shown) errors.push({ row, ...outcome })
    }
  }
  for await (const row of readCsv(source, work.shape)) {
    rows.push(row)
    if (rows.length === ROWS_AT_A_TIME) await finishBatch()
  }
  if (rows.length > 0) await finishBatch()
  if (totalOf(counts) === 0)
    throw new NamedError('csv_invalid', { message: messages.import_empty, field: 'file' })
  await completeJob(trx, job_id, { counts, errors })
  await audit(trx, work.actor, {
    action: 'import',
    object_type: work.type,
    object_id: null,
    details: { job_id, filename: work.upload.filename, ...counts },
  })
  return { ...verdict(counts), job_id, ...counts, errors }
}

const problemOf = (message: string) => ({ field: null, message })

const totalOf = (counts: ImportCounts) => counts.created + counts.updated + counts.unchanged + counts.failed

function verdict(counts: ImportCounts): Pick<ImportReply, 'status' | 'message'> {
  const done = messages.import_counts(counts)
  if (counts.failed === 0) return { status: 'success', message: done }
  if (allRefused(counts)) return { status: 'failed', message: messages.all_rows_refused(counts.failed) }
  return { status: 'partial_success', message: `${done}, ${messages.rows_refused(counts.failed)}` }
}

/**
 * Does a part of a transaction that may fail: then it is as if it had not been tried, and the transaction goes on.
 * Throws what the work threw.
 */
export async function attempt<T>(trx: Transaction<Database>, work: () => Promise<T>): Promise<T> {
  await sql`savepoint attempt`.execute(trx)
  try {
    const result = await work()
    await sql`release savepoint attempt`.execute(trx)
    return result
  } catch (error) {
    await sql`rollback to savepoint attempt`.execute(trx)
    await sql`release savepoint attempt`.execute(trx)
    throw error
  }
}
