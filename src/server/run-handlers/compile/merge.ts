import { type RawBuilder, sql } from 'kysely'
import { RunFailure } from '../../engine/types.ts'
import type { Trx } from '../../platform/db.ts'
import { BITS_IN_WORD } from '../../snapshots/source-sets.ts'
import { LOADING, SPREADSHEET_ERRORS } from '../../snapshots/spreadsheet-errors.ts'
import type { CompilePlan } from './compile-plan.ts'
import type { Slice } from './keys.ts'
import { fieldSources, groupPicks, hasBlanks, picks, values } from './values.ts'

type Sql = RawBuilder<unknown>

const ERRORS = [...SPREADSHEET_ERRORS, ...LOADING]

// Of the keys of 500,000 SKUs, which gathering holds, or of the records of a slice.
const MEMORY = '64MB'

/** Records that are merged at a time. */
export const RECORDS_IN_SLICE = 16_384

/**
 * Says how the transaction works: rows are looked up where they lie or by their keys, whatever is known of the tables, and the
 * commit does not wait for the disk, which a later one does.
 */
export async function prepareMerge(trx: Trx): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true), set_config('work_mem', ${MEMORY}, true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('join_collapse_limit', '1', true), set_config('enable_seqscan', 'off', true),
    set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_sort', 'off', true)`.execute(
    trx,
  )
}

/** Records to merge, by the keys that were gathered for them. */
export type Part = {
  into: number
  /** The version of before, in which their creation is looked up; without the records that a person has removed. */
  before: { snapshot_id: number; removed: Buffer; same_fields: boolean } | null
  /** The number of the first record. */
  first: number
  keys: Slice
}

/** One bit a record of a part, the lowest of each byte first. */
export type Flags = {
  has_blanks: Buffer
  has_errors: Buffer
  is_duplicate: Buffer
  added: number
  changed: number
}

/** Merges some records and stores them. Throws RunFailure when their keys are gone, or the rows of a source. */
export async function mergePart(trx: Trx, plan: CompilePlan, part: Part): Promise<Flags> {
  const { into, first, keys } = part
  type Counted = { records: number; is_whole: boolean; added: number; changed: number }
  const { rows } = await sql<Record<'has_blanks' | 'has_errors' | 'is_duplicate', string> & Counted>`
    with valued as (
      select row_no, is_whole, sku, created_at, updated_at, cells_before, source_rows, row_counts,
        to_jsonb(array[${sql.join([sql`to_jsonb(sku)`, ...values(plan)])}]) as cells, ${fieldSources(plan)} as field_sources, ${hasBlanks(plan)} as has_blanks
      from (${pickedRows(plan, part)}) picked offset 0
    ), merged as materialized (
      select row_no, is_whole, sku, cells, field_sources, has_blanks, cells ?| ${ERRORS}::text[] as has_errors,
        1 < any (row_counts) as is_duplicate, created_at is null as is_new,
        created_at is not null and cells is distinct from cells_before as is_changed, created_at, updated_at,
        ${sourceRows(plan)} as source_rows,
        ${bits(plan, (source) => sql`source_rows[${source}] > 0`)} as found_in,
        ${bits(plan, (source) => sql`row_counts[${source}] > 1`)} as twice_in
      from valued
    ), stored as (
      insert into snapshot_rows (snapshot_id, row_no, cells) select ${into}::int, row_no, cells from merged
    ), recorded as (
      insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, source_rows, created_at, updated_at)
      select ${into}::int, row_no, sku, found_in, twice_in, field_sources, source_rows, coalesce(created_at, now()),
        case when is_new or is_changed then now() else updated_at end
      from merged
    ), eights as (
      select (row_no - ${first}::int) / 8 as byte_no, ${flagByte('has_blanks', first)}, ${flagByte('has_errors', first)},
        ${flagByte('is_duplicate', first)}, count(*) as records, bool_and(is_whole) as is_whole,
        count(*) filter (where is_new) as added, count(*) filter (where is_changed) as changed
      from merged group by 1
    )
    select coalesce(sum(records), 0)::int as records, bool_and(is_whole) as is_whole, ${flagText('has_blanks')}, ${flagText('has_errors')}, ${flagText('is_duplicate')},
      coalesce(sum(added), 0)::int as added, coalesce(sum(changed), 0)::int as changed
    from eights`.execute(trx)
  const [flags] = rows
  // A database that has crashed meanwhile has no keys any more.
  if (flags?.records !== keys.count) throw keysLost()
  if (!flags.is_whole)
    throw new RunFailure('The rows of a source were replaced meanwhile.', { retryable: true })
  const { added, changed } = flags
  const set = (hex: string) => Buffer.from(hex, 'hex')
  return {
    has_blanks: set(flags.has_blanks),
    has_errors: set(flags.has_errors),
    is_duplicate: set(flags.is_duplicate),
    added,
    changed,
  }
}

// Inner queries end with `offset 0`, so that what they compute is computed once.
function pickedRows(plan: CompilePlan, part: Part): Sql {
  const grouped =
    plan.groups.length === 0
      ? sql`(${foundRows(plan, part)}) found`
      : sql`(select found.*, ${sql.join(groupPicks(plan))} from (${foundRows(plan, part)}) found offset 0) grouped`
  return sql`select ${sql.join([sql`*`, ...picks(plan)])} from ${grouped} offset 0`
}

// What lies in a place is looked at by its numbers, since a table that is rewritten has other places.
function foundRows({ sources }: CompilePlan, { into, before, first, keys }: Part): Sql {
  const joined = sources.map(
    (_, n) => sql`
      left join lateral (select snapshot_id, row_no, cells from snapshot_rows s where s.ctid = k.source_places[${sql.lit(n + 1)}] offset 0)
        ${sql.ref(`s_${n}`)} on true`,
  )
  const cells = sources.map((_, n) => sql`${sql.ref(`s_${n}.cells`)} as ${sql.ref(`cells_${n}`)}`)
  const isThere = sources.map(({ snapshot_id }, n) => {
    const row = sql`k.source_rows[${sql.lit(n + 1)}]`
    const found = (column: string) => sql.ref(`s_${n}.${column}`)
    return sql`(${row} = 0 or coalesce(${found('row_no')} = ${row} and ${found('snapshot_id')} = ${sql.lit(snapshot_id)}, false))`
  })
  return sql`
    select k.number as row_no, k.sku, k.source_rows, k.row_counts, ${sql.join(cells)}, ${sql.join(isThere, sql` and `)} as is_whole,
      ${valuesBefore(before)}
    from (
      select (row_number() over (order by row_no))::int + ${sql.lit(first - 1)} as number, sku, source_rows, row_counts, source_places
      from compile_keys
      where snapshot_id = ${sql.lit(into)} and row_no between ${sql.lit(keys.from)} and ${sql.lit(keys.to)} offset 0
    ) k ${sql.join(joined, sql` `)} ${recordsBefore(before)} offset 0`
}

const valuesBefore = (before: Part['before']): Sql =>
  before === null
    ? sql`null::timestamptz as created_at, null::timestamptz as updated_at, null::jsonb as cells_before`
    : sql`b.created_at, b.updated_at, b.cells_before`

// Cells are compared only where the fields are the same, in the same places.
function recordsBefore(before: Part['before']): Sql {
  if (before === null) return sql``
  const { snapshot_id, removed, same_fields } = before
  const id = sql.lit(snapshot_id)
  const kept = removed.length === 0 ? sql`` : sql`and not ${isIn(removed)}`
  const cells = same_fields
    ? sql`(select cells from snapshot_rows s where s.snapshot_id = ${id} and s.row_no = r.row_no)`
    : sql`null::jsonb`
  return sql`
    left join lateral (
      select created_at, updated_at, ${cells} as cells_before from compiled_records r
      where r.snapshot_id = ${id} and r.sku = k.sku ${kept} limit 1
    ) b on true`
}

/** What a crash of the database takes with it. */
export const keysLost = () => new RunFailure('The keys of this compile were lost.', { retryable: true })

// Bytes that are missing at the end are zero.
const isIn = (set: Buffer): Sql =>
  sql`(case when row_no <= ${set.length * 8}::int then get_bit(${set}::bytea, row_no - 1) else 0 end) = 1`

const sourceRows = ({ sources, numbered }: CompilePlan): Sql =>
  sql`array[${sql.join(
    numbered.map((_, n) => {
      const source = sources.findIndex(({ number }) => number === n + 1)
      return source < 0 ? sql`0` : sql`source_rows[${sql.lit(source + 1)}]`
    }),
  )}]::int[]`

// A bit for each number that is set of its source (counted from 1), so many in each element, the lowest first.
function bits({ sources, numbered }: CompilePlan, isSet: (source: Sql) => Sql): Sql {
  const words = Array.from({ length: Math.ceil(numbered.length / BITS_IN_WORD) }, (_, word) => {
    const sum = sources.flatMap(({ number }, source) => {
      const bit = number - 1 - word * BITS_IN_WORD
      return bit >= 0 && bit < BITS_IN_WORD
        ? [sql`(${isSet(sql.lit(source + 1))})::int * ${sql.lit(2 ** bit)}`]
        : []
    })
    return sum.length === 0 ? sql`0` : sql.join(sum, sql` + `)
  })
  return sql`array[${sql.join(words)}]::int[]`
}

const flagByte = (flag: string, first: number): Sql =>
  sql`bit_or(${sql.ref(flag)}::int << ((row_no - ${sql.lit(first)}) % 8)) as ${sql.ref(flag)}`

const flagText = (flag: string): Sql =>
  sql`coalesce(string_agg(lpad(to_hex(${sql.ref(flag)}), 2, '0'), '' order by byte_no), '') as ${sql.ref(flag)}`
