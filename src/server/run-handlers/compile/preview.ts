import { sql } from 'kysely'
import type { MergeSettings } from '../../../contract/compiler/configs.ts'
import type { CellValue } from '../../../contract/tables.ts'
import { RunFailure } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { isCanceled } from '../../platform/postgres/errors.ts'
import { FieldFormats } from '../../snapshots/field-formats.ts'
import type { CompileDefinition } from './definition.ts'
import type { CompilePlan } from './rules/compile-plan.ts'
import type { Failure } from './rules/field-judge.ts'
import { Merge } from './rules/merge.ts'
import type { MergedRecord } from './rules/merged-record.ts'
import { mergedVersions, planCompile } from './rules/plan.ts'
import { takeVersions } from './source-versions.ts'
import { readCheckLists } from './storage/check-lists.ts'
import { readDecisions } from './storage/decisions.ts'
import { GatheredRows } from './storage/gathered-rows.ts'
import { readOverrides } from './storage/overrides.ts'
import { PartitionedSpillFile } from './storage/partitioned-spill-file.ts'
import { firstSkus, rowsOf } from './storage/preview-rows.ts'
import { READ_BY_KEY } from './storage/row-queries.ts'

const RECORDS = 20
const TIME_LIMIT_S = 20
// First key of the advisory lock; not used for any other lock.
const PREVIEW_LOCK = 7_269_346

type Wanted = Pick<CompileDefinition, 'sources'> & {
  settings: MergeSettings
  /** The configuration that is edited; null: it is new. */
  config_id: number | null
  /** The user; each has one preview at a time. */
  user_id: number
}

type PreviewedRecord = {
  sku: string
  cells: CellValue[]
  /** For each numbered source whether it has the SKU: flags of FOUND. */
  found: Uint8Array
  /** For each field the number of the source that fills it, counted from 1; 0: blank. */
  field_sources: Uint8Array
  /** For each numbered source its row number; 0: none. */
  source_rows: number[]
  has_blanks: boolean
  has_errors: boolean
  is_duplicate: boolean
  /** Numbers of the checks that the record fails. */
  failed_checks: number[]
}

type Previewed = {
  fields: string[]
  formats: FieldFormats
  /** In the order of their numbers. */
  sources: { task_id: number; name: string; row_count: number }[]
  warnings: string[]
  records: PreviewedRecord[]
}

/**
 * The first records that a compile would produce: rows with their SKUs are selected in SQL and merged by the compile's own code.
 * `busy`: the user already has a preview running; `reason`: why a compile would fail, or that the preview timed out.
 */
export async function previewCompile(
  { db, folder, zone }: { db: Db; folder: string; zone: string },
  wanted: Wanted,
): Promise<
  ({ ok: true } & Previewed) | { ok: false; busy: true } | { ok: false; busy: false; reason: string }
> {
  const refused = (reason: string) => ({ ok: false, busy: false, reason }) as const
  try {
    const lists = await readCheckLists(db, wanted.settings.field_checks)
    const { live } = await readOverrides(db, { config_id: wanted.config_id, zone })
    const decisions = await readDecisions(db, wanted.config_id)
    const versions = await takeVersions(db, wanted)
    const plan = planCompile(versions, wanted.settings, undefined, lists, live, decisions)
    const trx = await db.startTransaction().execute()
    try {
      if (!(await tryLock(trx, wanted.user_id))) return { ok: false, busy: true }
      const { sources, fields, warnings } = plan
      const records = await firstRecords(trx, plan, folder)
      const formats = FieldFormats.of(mergedVersions(plan))
      return {
        ok: true,
        sources,
        fields: fields.map(({ name }) => name),
        formats,
        warnings: warnings.map(({ message }) => message),
        records,
      }
    } finally {
      await trx.rollback().execute()
    }
  } catch (error) {
    if (error instanceof RunFailure) return refused(error.message)
    if (isCanceled(error))
      return refused(`A preview may take ${TIME_LIMIT_S} seconds, which was not enough here.`)
    throw error
  }
}

async function tryLock(trx: Trx, user_id: number): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`
    select pg_try_advisory_xact_lock(${PREVIEW_LOCK}::int, ${user_id}::int) as is_locked,
      set_config('statement_timeout', ${`${TIME_LIMIT_S}s`}, true)`.execute(trx)
  return rows[0]?.is_locked ?? false
}

/** The first records of a merge. Throws RunFailure if no row has a SKU. */
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
  const merge = new Merge(plan, gathered.skus, {
    unchanged: { skus: 0, rows: 0 },
    same_fields: false,
  })
  const records: PreviewedRecord[] = []
  try {
    for await (const partition of spill.load())
      for (const record of merge.records(partition)) {
        records.push(previewed(record))
        for (const failure of record.failures) addFailure(records[failure.row_no - 1], failure)
      }
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
    failed_checks: [],
  }
}

function addFailure(record: PreviewedRecord | undefined, { check_no, is_error }: Failure): void {
  if (record === undefined) return
  record.failed_checks.push(check_no)
  record.has_errors ||= is_error
}
