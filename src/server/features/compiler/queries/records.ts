import { type RawBuilder, sql } from 'kysely'
import type {
  CompiledDataQuery,
  CompiledRecord,
  CompilerStats,
} from '../../../../contract/compiler-records.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import type { Db } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { columnNames } from '../../../snapshots/column-names.ts'
import { pinSnapshot } from '../../../snapshots/pin.ts'
import { notesOf } from './notes.ts'

/** The current compile of a configuration. */
export type CompiledVersion = {
  snapshot_id: number
  fields: string[]
  sources: { task_id: number; name: string }[]
  master: number | null
  row_count: number
  completed_at: Date
  has_blanks: Buffer
  has_errors: Buffer
  is_duplicate: Buffer
}

/** The current records of a configuration, kept from being pruned; null while there are none. Throws NamedError `compiler_task_not_found`. */
async function readCompiled(db: Db, config_id: number): Promise<CompiledVersion | null> {
  const { rows } = await sql<
    { snapshot_id: number | null; columns: string[] } & Omit<CompiledVersion, 'fields' | 'snapshot_id'>
  >`
    select v.snapshot_id, s.columns, s.row_count, s.completed_at, v.sources, v.has_blanks, v.has_errors, v.is_duplicate,
      (select source_task_id from compiler_sources m where m.compiler_config_id = c.id and m.is_master) as master
    from compiler_configs c join tasks t on t.id = c.task_id
    left join compiled_versions v on v.snapshot_id = t.snapshot_id
    left join snapshots s on s.id = v.snapshot_id
    where c.id = ${config_id}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new NamedError('compiler_task_not_found')
  const { snapshot_id, columns, ...version } = row
  if (snapshot_id === null || !(await pinSnapshot(db, snapshot_id))) return null
  return { ...version, snapshot_id, fields: columnNames(columns).slice(1) }
}

/** Counts of a configuration's records. Throws NamedError `compiler_task_not_found`. */
export async function readStats(db: Db, config_id: number): Promise<CompilerStats> {
  const version = await readCompiled(db, config_id)
  if (version === null)
    return {
      total_records: 0,
      clean_records: 0,
      records_with_blanks: 0,
      records_with_errors: 0,
      duplicate_records: 0,
      compiled_at: null,
    }
  const { row_count, completed_at, has_blanks, has_errors, is_duplicate } = version
  const flagged = Buffer.from(
    Array.from({ length: Math.ceil(row_count / 8) }, (_, n) =>
      byteOf([has_blanks, has_errors, is_duplicate], n),
    ),
  )
  const { rows } = await sql<Record<'blanks' | 'errors' | 'duplicates' | 'flagged', number>>`
    select bit_count(${has_blanks}::bytea)::int as blanks, bit_count(${has_errors}::bytea)::int as errors,
      bit_count(${is_duplicate}::bytea)::int as duplicates, bit_count(${flagged}::bytea)::int as flagged`.execute(
    db,
  )
  const [counts = { blanks: 0, errors: 0, duplicates: 0, flagged: 0 }] = rows
  return {
    total_records: row_count,
    clean_records: row_count - counts.flagged,
    records_with_blanks: counts.blanks,
    records_with_errors: counts.errors,
    duplicate_records: counts.duplicates,
    compiled_at: completed_at.toISOString(),
  }
}

const byteOf = (sets: readonly Buffer[], n: number) => sets.reduce((byte, set) => byte | (set[n] ?? 0), 0)

/** A page of a configuration's records in their order. Throws NamedError `compiler_task_not_found`. */
export async function readRecords(db: Db, query: CompiledDataQuery) {
  const { limit, offset, compiler_config_id } = query
  const version = await readCompiled(db, compiler_config_id)
  const { row_nos, total_count } =
    version === null ? { row_nos: [], total_count: 0 } : await findRows(db, version, query)
  const data = version === null ? [] : await readByNumber(db, version, { row_nos, compiler_config_id })
  return {
    data,
    total_count,
    limit,
    offset,
    has_next: offset + row_nos.length < total_count,
    has_prev: offset > 0,
  }
}

type Found = { row_nos: number[]; total_count: number }

async function findRows(db: Db, version: CompiledVersion, query: CompiledDataQuery): Promise<Found> {
  const { limit, offset, sku_search } = query
  const flags = (['has_blanks', 'has_errors', 'is_duplicate'] as const).flatMap((name) => {
    const wanted = query[name]
    return wanted === undefined ? [] : [{ set: version[name], wanted: wanted === 'true' }]
  })
  if (sku_search !== undefined && sku_search !== '')
    return searchRows(db, version, { limit, offset, sku_search, flags })
  const found: number[] = []
  let total_count = 0
  for (let n = 0; n < version.row_count; n += 1) {
    if (!flags.every(({ set, wanted }) => (((set[n >> 3] ?? 0) >> (n & 7)) & 1) === Number(wanted))) continue
    if (total_count >= offset && found.length < limit) found.push(n + 1)
    total_count += 1
  }
  return { row_nos: found, total_count }
}

type Search = {
  limit: number
  offset: number
  sku_search: string
  flags: { set: Buffer; wanted: boolean }[]
}

async function searchRows(
  db: Db,
  { snapshot_id }: CompiledVersion,
  { limit, offset, sku_search, flags }: Search,
): Promise<Found> {
  const like = `%${sku_search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  const conditions = flags.map(({ set, wanted }) => isSet(set, wanted))
  const { rows } = await sql<{ row_nos: number[]; total_count: number }>`
    with found as materialized (
      select row_no from compiled_records
      where snapshot_id = ${snapshot_id} and ${sql.join([sql`sku ilike ${like}`, ...conditions], sql` and `)}
    )
    select (select count(*)::int from found) as total_count,
      array(select row_no from found order by row_no limit ${limit} offset ${offset}) as row_nos`.execute(db)
  return rows[0] ?? { row_nos: [], total_count: 0 }
}

// Bytes that are missing at the end are zero.
const isSet = (set: Buffer, wanted: boolean): RawBuilder<boolean> =>
  sql<boolean>`(case when row_no <= ${set.length * 8}::int then get_bit(${set}::bytea, row_no - 1) else 0 end) = ${Number(wanted)}::int`

type Stored = {
  row_no: number
  sku: string
  cells: CellValue[]
  found_in: number[]
  twice_in: number[]
  created_at: Date
  updated_at: Date
}

// One look into each primary key for each row: a join could as well be planned as a walk over all of them.
async function readByNumber(
  db: Db,
  version: CompiledVersion,
  { row_nos, compiler_config_id }: { row_nos: number[]; compiler_config_id: number },
): Promise<CompiledRecord[]> {
  const { snapshot_id } = version
  const { rows } = await sql<Stored>`
    select (r).row_no, (r).sku, (r).found_in, (r).twice_in, (r).created_at, (r).updated_at, cells from (
      select place,
        (select r from compiled_records r where r.snapshot_id = ${snapshot_id} and r.row_no = page.row_no) as r,
        (select cells from snapshot_rows s where s.snapshot_id = ${snapshot_id} and s.row_no = page.row_no) as cells
      from unnest(${row_nos}::int[]) with ordinality as page (row_no, place)
      offset 0
    ) page order by place`.execute(db)
  return rows.map((row) => present(row, version, compiler_config_id))
}

function present(row: Stored, version: CompiledVersion, compiler_config_id: number): CompiledRecord {
  const { row_no, sku, cells, found_in, twice_in, created_at, updated_at } = row
  const has = (set: Buffer) => (((set[(row_no - 1) >> 3] ?? 0) >> ((row_no - 1) & 7)) & 1) === 1
  const values = version.fields.map((field, n) => ({ field, value: cells[n + 1] ?? null }))
  return {
    ...Object.fromEntries(values.map(({ field, value }) => [field, value])),
    sku,
    source_count: found_in.reduce((count, word) => count + bitsOf(word), 0),
    has_blanks: has(version.has_blanks),
    has_errors: has(version.has_errors),
    is_duplicate: has(version.is_duplicate),
    validation_notes: notesOf({ values, found_in, twice_in }, version),
    compiler_config_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}

function bitsOf(word: number): number {
  let count = 0
  for (let rest = word; rest > 0; rest &= rest - 1) count += 1
  return count
}
