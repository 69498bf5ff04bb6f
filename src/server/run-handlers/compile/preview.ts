import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import type { CellValue } from '../../../contract/tables.ts'
import { RunFailure } from '../../engine/types.ts'
import type { Db, Trx } from '../../platform/db.ts'
import { hasRow } from '../../snapshots/bit-sets.ts'
import type { CompilePlan } from './compile-plan.ts'
import type { CompileDefinition } from './definition.ts'
import { firstSkus } from './first-skus.ts'
import { gatherKeys, readKeys } from './keys.ts'
import { keysLost, mergePart, prepareMerge } from './merge.ts'
import { planCompile } from './plan.ts'
import { takeVersions } from './sources.ts'

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
  found_in: number[]
  twice_in: number[]
  /** Of each field the number of the source that fills it, counted from 1; 0: it is blank. */
  field_sources: number[]
  has_blanks: boolean
  has_errors: boolean
  is_duplicate: boolean
}

type Previewed = {
  fields: string[]
  /** By their numbers. */
  sources: { task_id: number; name: string; row_count: number }[]
  warnings: string[]
  records: PreviewedRecord[]
}

/**
 * The first records that a compile would come to, by its own statements in a transaction that is rolled back. `busy`: the person has
 * one under way; `reason`: why a compile would fail, or that it took too long.
 */
export async function previewCompile(
  db: Db,
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
      const records = await firstRecords(trx, plan)
      return { ok: true, sources, fields: fields.map(({ name }) => name), warnings, records }
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

/** The first records of a merge. What it writes for that is the caller’s to roll back. Throws RunFailure where no row has a SKU. */
export async function firstRecords(trx: Trx, plan: CompilePlan): Promise<PreviewedRecord[]> {
  await prepareMerge(trx)
  const only = await firstSkus(trx, plan, RECORDS)
  if (only.length === 0) throw new RunFailure('No row of the sources has a SKU.', { retryable: false })
  // No version has a number below zero, and no other transaction this one.
  const { rows: own } = await sql<{ into: number }>`select -pg_backend_pid() as into`.execute(trx)
  const into = own[0]?.into ?? 0
  await gatherKeys(trx, plan, { into, after: null, only, share: { number: 0, of: 1 } })
  const {
    slices: [keys],
  } = await readKeys(trx, { into, slice: RECORDS })
  if (keys === undefined) throw keysLost()
  const flags = await mergePart(trx, plan, { into, before: null, first: 1, keys })
  const { rows } = await sql<PreviewedRecord & { row_no: number }>`
    select row_no, sku, found_in, twice_in, field_sources, (
      select cells from snapshot_rows s where s.snapshot_id = ${into} and s.row_no = r.row_no
    ) as cells
    from compiled_records r where r.snapshot_id = ${into} order by row_no`.execute(trx)
  return rows.map((row) => ({
    ...row,
    has_blanks: hasRow(flags.has_blanks, row.row_no),
    has_errors: hasRow(flags.has_errors, row.row_no),
    is_duplicate: hasRow(flags.is_duplicate, row.row_no),
  }))
}
