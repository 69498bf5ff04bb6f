import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type Kysely, sql } from 'kysely'
import type { CsvRowError, CsvType, ImportCounts } from '../../contract/csv-jobs/calls.ts'
import { limits } from '../../contract/limits.ts'
import { type Actor, audit } from '../platform/audit.ts'
import { type CsvRow, type CsvShape, readCsv, writeCsv } from '../platform/csv/rows.ts'
import type { Trx } from '../platform/db.ts'
import type { Database } from '../platform/schema.ts'
import { completeJob, reportProgress, type TakenJob, totalOf } from './jobs.ts'
import { readParts, removeParts, sizeOfParts } from './parts.ts'

/** The result of a row. */
export type RowOutcome = 'created' | 'updated' | 'unchanged' | 'skipped' | RowRefusal

/** Why a row was rejected, or a remark about an accepted one. */
export type RowRefusal = { field: string | null; message: string }

/** A row without a parse error. */
export type ReadableRow = Extract<CsvRow, { cells: unknown }>

/** What an import receives in addition to the transaction of the whole file. */
export type ImportContext = {
  actor: Actor
  /** Form fields sent with the file, as the call declares them. */
  options: unknown
  /** The readable rows of the file, in batches. */
  batches: AsyncIterable<ReadableRow[]>
  /** Must be called once per row. */
  ended: (row: { row: number }, outcome: RowOutcome, remarks?: RowRefusal[]) => void
}

/** How files of a type are imported: by a worker, in one transaction that keeps everything or nothing. */
export type CsvImport = {
  type: CsvType
  shape: CsvShape
  /** Throws NamedError if the whole file is rejected. */
  run: (trx: Trx, context: ImportContext) => Promise<void>
}

const ROWS_AT_A_TIME = 1_000
// PostgreSQL keeps every version of the job's row during the import, so frequent updates would become slow.
const REPORT_EVERY_MS = 1_000

type Work = { db: Kysely<Database>; definition: CsvImport; job: TakenJob; signal: AbortSignal }

/**
 * Executes a job in the transaction; rejected rows are skipped and reported. Throws NamedError for a file that is not
 * a CSV of this shape, and the signal's reason.
 */
export async function runImport(trx: Trx, { db, definition, job, signal }: Work): Promise<void> {
  const tally = createTally()
  const bytes = await sizeOfParts(db, job.id)
  let read = 0
  const source = readParts(db, job.id, (more) => {
    read += more
  })
  let reported_at = Number.NEGATIVE_INFINITY
  const report = async () => {
    signal.throwIfAborted()
    if (performance.now() - reported_at < REPORT_EVERY_MS) return
    reported_at = performance.now()
    await reportProgress(db, job, { ...tally.counts, part: read / bytes })
  }
  let rows = 0
  async function* batches() {
    let batch: ReadableRow[] = []
    for await (const row of readCsv(source, definition.shape)) {
      rows += 1
      if ('problem' in row) tally.end(row, { field: null, message: row.problem })
      else batch.push(row)
      if (batch.length < ROWS_AT_A_TIME) continue
      await report()
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
  await definition.run(trx, { ...job, batches: batches(), ended: tally.end })
  if (totalOf(tally.counts) !== rows) throw new TypeError('A row without an outcome')
  const { counts, refused, warnings } = tally
  await completeJob(trx, job.id, {
    processed_count: rows,
    summary: counts,
    errors: refused.first(),
    warnings: warnings.first(),
    file: counts.failed > 0 ? await asCsv(refused.first()) : null,
  })
  await removeParts(trx, job.id)
  await audit(trx, job.actor, {
    action: 'import',
    object_type: definition.type,
    object_id: null,
    details: { job_id: job.id, filename: job.filename, ...counts },
  })
}

function createTally() {
  const counts: ImportCounts = { created: 0, updated: 0, unchanged: 0, failed: 0 }
  const refused = firstRows()
  const warnings = firstRows()
  const end: ImportContext['ended'] = ({ row }, outcome, remarks = []) => {
    const counted = typeof outcome === 'object' ? 'failed' : outcome
    counts[counted] = (counts[counted] ?? 0) + 1
    if (typeof outcome === 'object') refused.add({ row, ...outcome })
    for (const remark of remarks) warnings.add({ row, ...remark })
  }
  return { counts, refused, warnings, end }
}

// Rows end in any order; the report shows the first ones of the file.
function firstRows() {
  const shown = limits.csv_errors_shown
  let kept: CsvRowError[] = []
  const first = () => {
    kept = kept.sort((a, b) => a.row - b.row).slice(0, shown)
    return kept
  }
  const add = (entry: CsvRowError) => {
    kept.push(entry)
    if (kept.length > 10 * shown) first()
  }
  return { add, first }
}

async function asCsv(rows: CsvRowError[]): Promise<string> {
  return (await buffer(writeCsv(['row', 'field', 'message'], Readable.from(rows)))).toString()
}

/** Runs `work` in a savepoint: if it throws, its changes are undone, the transaction continues, and the error is rethrown. */
export async function attempt<T>(trx: Trx, work: () => Promise<T>): Promise<T> {
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
