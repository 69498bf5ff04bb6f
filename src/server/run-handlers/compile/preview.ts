import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { CellValue } from '../../../contract/tables.ts'
import { RunFailure } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { FieldFormats } from '../../snapshots/field-formats.ts'
import type { CompileDefinition } from './definition.ts'
import type { CompilePlan } from './rules/compile-plan.ts'
import { Merge } from './rules/merge.ts'
import type { MergedRecord } from './rules/merged-record.ts'
import { mergedVersions, planCompile } from './rules/plan.ts'
import { takeVersions } from './sources.ts'
import { GatheredRows } from './storage/gathered-rows.ts'
import { PartitionedSpillFile } from './storage/partitioned-spill-file.ts'
import { firstSkus, rowsOf } from './storage/preview-rows.ts'
import { READ_BY_KEY } from './storage/row-queries.ts'

const RECORDS = 20
const TIME_LIMIT_S = 20
// Any constant that nothing else in the database uses as an advisory lock.
const PREVIEW_LOCK = 7_269_346
const OVER_TIME = '57014'

type Wanted = Pick<CompileDefinition, 'sources' | 'settings'> & {
  /** The configuration that is edited; null: a new one. */
  config_id: number | null
  /** Who asks: each person has one preview at a time. */
  user_id: number
}

type PreviewedRecord = {
  sku: string
  cells: CellValue[]
  /** How often each numbered source has the SKU. */
  found: Uint8Array
  /** Of each field the number of the source that fills it, counted from 1; 0: it is blank. */
  field_sources: Uint8Array
  /** Of each numbered source the row, 0: it has none. */
  source_rows: number[]
  has_blanks: boolean
  has_errors: boolean
  is_duplicate: boolean
}

type Previewed = {
  fields: string[]
  formats: FieldFormats
  /** By their numbers. */
  sources: { task_id: number; name: string; row_count: number }[]
  warnings: string[]
  records: PreviewedRecord[]
}

/**
 * The first records that a compile would come to, by its own merge of the rows that have their SKUs. `busy`: the person has
 * one under way; `reason`: why a compile would fail, or that it took too long.
 */
export async function previewCompile(
  { db, folder }: { db: Db; folder: string },
  wanted: Wanted,
): Promise<
  ({ ok: true } & Previewed) | { ok: false; busy: true } | { ok: false; busy: false; reason: string }
> {
  const refused = (reason: string) => ({ ok: false, busy: false, reason }) as const
  try {
    const plan = planCompile(await takeVersions(db, wanted), wanted.settings)
    const trx = await db.startTransaction().execute()
    try {
      if (!(await isFirst(trx, wanted.user_id))) return { ok: false, busy: true }
      const { sources, fields, warnings } = plan
      const records = await firstRecords(trx, plan, folder)
      const formats = FieldFormats.of(mergedVersions(plan))
      return { ok: true, sources, fields: fields.map(({ name }) => name), formats, warnings, records }
    } finally {
      await trx.rollback().execute()
    }
  } catch (error) {
    if (error instanceof RunFailure) return refused(error.message)
    if (error instanceof DatabaseError && error.code === OVER_TIME)
      return refused(`A preview may take ${TIME_LIMIT_S} seconds, which was not enough here.`)
    throw error
  }
}

async function isFirst(trx: Trx, user_id: number): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    select pg_try_advisory_xact_lock(${PREVIEW_LOCK}::int, ${user_id}::int) as is_first,
      set_config('statement_timeout', ${`${TIME_LIMIT_S}s`}, true)`.execute(trx)
  return rows[0]?.is_first ?? false
}

/** The first records of a merge. Throws RunFailure where no row has a SKU. */
export async function firstRecords(trx: Trx, plan: CompilePlan, folder: string): Promise<PreviewedRecord[]> {
  await sql.raw(READ_BY_KEY).execute(trx)
  const skus = await firstSkus(trx, plan, RECORDS)
  if (skus.length === 0) throw new RunFailure('No row of the sources has a SKU.', { retryable: false })
  const spill = new PartitionedSpillFile(folder)
  const gathered = new GatheredRows(plan, spill)
  for (const [n, source] of plan.sources.entries())
    for (const { row_no, cells } of await rowsOf(trx, source, skus)) {
      const bytes = Buffer.from(cells)
      gathered.take(n, row_no, bytes, 0, bytes.length)
    }
  const merge = new Merge(plan, gathered.skus, { kept: { skus: 0, rows: 0 }, same_fields: false })
  const records: PreviewedRecord[] = []
  try {
    for await (const rows of spill.load())
      for (const record of merge.records(rows)) records.push(previewed(record))
  } finally {
    await spill.close()
  }
  return records
}

function previewed({ cells, ...record }: MergedRecord): PreviewedRecord {
  const row: CellValue[] = JSON.parse(cells.bytes.toString('utf8', 0, cells.end))
  const { has_blanks, has_errors, is_duplicate } = record
  return {
    sku: String(row[0]),
    cells: row,
    found: record.found.slice(),
    field_sources: record.field_sources.slice(),
    source_rows: [...record.source_rows],
    has_blanks,
    has_errors,
    is_duplicate,
  }
}
