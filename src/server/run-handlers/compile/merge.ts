import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../../platform/db.ts'
import { BITS_IN_WORD } from '../../snapshots/source-sets.ts'
import { LOADING, SPREADSHEET_ERRORS } from '../../snapshots/spreadsheet-errors.ts'
import type { CompilePlan, Field } from './plan.ts'
import { listOf, sumOf } from './wide.ts'

/** Records that one statement merges: a few seconds at most, and a multiple of 8, so that sets can be put together from theirs. */
export const RECORDS_AT_A_TIME = 32_768

const ERRORS = [...SPREADSHEET_ERRORS, ...LOADING]

// What JavaScript trims; PostgreSQL itself takes away spaces alone.
const BLANKS = String.raw`E' \t\n\u000b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'`

/** Says how the transaction works: by keys whatever is known of the tables, and without waiting for the disk, which a later one does. */
export async function prepareMerge(trx: Trx): Promise<void> {
  await sql`select set_config('synchronous_commit', 'off', true), set_config('work_mem', '64MB', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('enable_seqscan', 'off', true)`.execute(trx)
}

/** Which rows of which sources belong together: how many records there are, and of each source how many rows have no SKU. */
export type Keys = { records: number; without_sku: number[] }

/**
 * Gives each SKU its place among the records, in a table of this transaction: SKUs of the master first, as they stand there, then
 * those that only others have, source by source. `after`: records that are there already, whose SKUs come
 * last and are not counted.
 */
export async function gatherKeys(
  trx: Trx,
  { sources }: CompilePlan,
  after: { snapshot_id: number; records: number } | null,
): Promise<Keys> {
  const rows = sql.join(
    sources.map(
      ({ snapshot_id, sku_column }, source) => sql`
        select ${sql.lit(source)} as source, row_no, btrim(cells ->> ${sql.lit(sku_column)}, ${sql.raw(BLANKS)}) as sku
        from snapshot_rows where snapshot_id = ${sql.lit(snapshot_id)}`,
    ),
    sql` union all `,
  )
  const columns = sources.flatMap((_, source) => [
    sql`min(row_no) filter (where source = ${sql.lit(source)}) as ${sql.ref(`row_${source}`)}`,
    sql`(count(*) filter (where source = ${sql.lit(source)}))::int as ${sql.ref(`rows_${source}`)}`,
  ])
  const known =
    after === null
      ? sql`false`
      : sql`exists (select from compiled_records r where r.snapshot_id = ${sql.lit(after.snapshot_id)} and r.sku = k.sku)`
  await sql`create temp table compile_keys on commit drop as
    select row_number() over (order by known, place)::int + ${sql.lit(after?.records ?? 0)} as row_no, k.* from (
      select k.*, ${known} as known from (
        select sku, min((source::bigint << 32) + row_no) as place, ${sql.join(columns)}
        from (${rows}) rows where sku is not null and sku <> '' group by sku
      ) k
    ) k order by known, place`.execute(trx)
  await sql`alter table compile_keys add primary key (row_no)`.execute(trx)
  const { rows: counts } = await sql<{ records: number; with_sku: number[] }>`
    select (count(*) filter (where not known))::int as records,
      array[${sql.join(sources.map((_, source) => sql`coalesce(sum(${sql.ref(`rows_${source}`)}), 0)::int`))}] as with_sku
    from compile_keys`.execute(trx)
  const [{ records, with_sku } = { records: 0, with_sku: [] }] = counts
  return { records, without_sku: sources.map(({ row_count }, source) => row_count - (with_sku[source] ?? 0)) }
}

type Slice = {
  /** Where the records go, and what their creation is looked up in: the version of before. */
  into: number
  before: { snapshot_id: number; same_fields: boolean } | null
  /** Records from this one on, counted from 1; at most RECORDS_AT_A_TIME. */
  first: number
  count: number
}

/** One bit a record of a slice, the lowest of each byte first. */
export type Flags = {
  has_blanks: Buffer
  has_errors: Buffer
  is_duplicate: Buffer
  added: number
  changed: number
}

/** Merges some records and stores them. Rows are looked up by primary key, so that no statistics decide how. */
export async function mergeSlice(
  trx: Trx,
  plan: CompilePlan,
  { into, before, first, count }: Slice,
): Promise<Flags> {
  const { sources, fields } = plan
  const cells = sources.map(
    ({ snapshot_id }, source) => sql`
      (select cells from snapshot_rows where snapshot_id = ${sql.lit(snapshot_id)} and row_no = k.${sql.ref(`row_${source}`)}) as ${sql.ref(`cells_${source}`)}`,
  )
  const { rows } = await sql<Record<keyof Flags, string> & { added: number; changed: number }>`
    with found as (
      select k.*, ${sql.join(cells)}, (
        select r from compiled_records r where r.snapshot_id = ${before?.snapshot_id ?? null} and r.sku = k.sku limit 1
      ) as b
      from compile_keys k where k.row_no >= ${first} and k.row_no < ${first + count} offset 0
    ), valued as (
      select ${sql.join([sql`found.*`, sql`(b).created_at`, sql`(b).updated_at`, sql`${cellsBefore(before)} as cells_before`, ...fields.map(mergedValue), sql`${fieldSources(plan)} as field_sources`])}
      from found offset 0
    ), merged as materialized (
      select row_no, sku, created_at, updated_at, cells_before, field_sources,
        ${listOf([sql`sku`, ...fields.map((_, n) => sql.ref(`value_${n}`))])} as cells,
        ${bits(plan, (source) => sql`${sql.ref(`row_${source}`)} is not null`)} as found_in,
        ${bits(plan, (source) => sql`${sql.ref(`rows_${source}`)} > 1`)} as twice_in,
        ${sourceRows(plan)} as source_rows,
        ${sql.join(
          sources.map((_, source) => sql`${sql.ref(`rows_${source}`)} > 1`),
          sql` or `,
        )} as is_duplicate,
        ${sumOf(
          'num_nulls',
          fields.map((_, n) => sql.ref(`value_${n}`)),
        )} > 0 as has_blanks
      from valued
    ), judged as materialized (
      select row_no, is_duplicate, has_blanks, created_at is null as is_new,
        created_at is not null and cells is distinct from cells_before as is_changed,
        cells ?| ${ERRORS}::text[] as has_errors
      from merged
    ), stored as (
      insert into snapshot_rows (snapshot_id, row_no, cells) select ${into}::int, row_no, cells from merged
    ), recorded as (
      insert into compiled_records (snapshot_id, row_no, sku, found_in, twice_in, field_sources, source_rows, created_at, updated_at)
      select ${into}::int, row_no, sku, found_in, twice_in, field_sources, source_rows, coalesce(created_at, now()),
        case when cells is not distinct from cells_before then updated_at else now() end
      from merged
    ), eights as (
      select (row_no - ${first}::int) / 8 as byte_no, ${flagByte('has_blanks', first)}, ${flagByte('has_errors', first)},
        ${flagByte('is_duplicate', first)}, count(*) filter (where is_new) as added, count(*) filter (where is_changed) as changed
      from judged group by 1
    )
    select ${flagText('has_blanks')}, ${flagText('has_errors')}, ${flagText('is_duplicate')},
      coalesce(sum(added), 0)::int as added, coalesce(sum(changed), 0)::int as changed
    from eights`.execute(trx)
  const [flags] = rows
  const set = (hex: string | undefined) => Buffer.from(hex ?? '', 'hex')
  return {
    has_blanks: set(flags?.has_blanks),
    has_errors: set(flags?.has_errors),
    is_duplicate: set(flags?.is_duplicate),
    added: flags?.added ?? 0,
    changed: flags?.changed ?? 0,
  }
}

type Sql = RawBuilder<unknown>

// Compared only where the fields are the same, in the same places.
const cellsBefore = (before: Slice['before']): Sql =>
  before?.same_fields
    ? sql`(select cells from snapshot_rows where snapshot_id = ${before.snapshot_id} and row_no = (b).row_no)`
    : sql`null::jsonb`

// A blank cell is null or an empty text; zero and false are values.
const cellOf = ({ source, column }: Field['from'][number]): Sql =>
  sql`nullif(nullif(${sql.ref(`cells_${source}`)} -> ${sql.lit(column)}, 'null'), '""')`

const mergedValue = ({ from }: Field, n: number): Sql =>
  sql`${from.length === 0 ? sql`null::jsonb` : sql`coalesce(${sql.join(from.map(cellOf))})`} as ${sql.ref(`value_${n}`)}`

const fieldSources = ({ fields, sources }: CompilePlan): Sql =>
  sql`array[${sql.join(
    fields.map(({ from }) => {
      const cases = from.map(
        (place) => sql`when ${cellOf(place)} is not null then ${sql.lit(sources[place.source]?.number ?? 0)}`,
      )
      return cases.length === 0 ? sql`0` : sql`case ${sql.join(cases, sql` `)} else 0 end`
    }),
  )}]::smallint[]`

// A bit for each number that is set of its source, so many in each element, the lowest first.
function bits({ sources, numbered }: CompilePlan, isSet: (source: number) => Sql): Sql {
  const words = Array.from({ length: Math.ceil(numbered.length / BITS_IN_WORD) }, (_, word) => {
    const sum = sources.flatMap(({ number }, source) => {
      const bit = number - 1 - word * BITS_IN_WORD
      return bit >= 0 && bit < BITS_IN_WORD ? [sql`(${isSet(source)})::int * ${sql.lit(2 ** bit)}`] : []
    })
    return sum.length === 0 ? sql`0` : sql.join(sum, sql` + `)
  })
  return sql`array[${sql.join(words)}]::int[]`
}

const sourceRows = ({ sources, numbered }: CompilePlan): Sql =>
  sql`array[${sql.join(
    numbered.map((_, n) => {
      const source = sources.findIndex(({ number }) => number === n + 1)
      return source < 0 ? sql`0` : sql`coalesce(${sql.ref(`row_${source}`)}, 0)`
    }),
  )}]::int[]`

const flagByte = (flag: string, first: number): Sql =>
  sql`bit_or(${sql.ref(flag)}::int << ((row_no - ${sql.lit(first)}) % 8)) as ${sql.ref(flag)}`

const flagText = (flag: string): Sql =>
  sql`coalesce(string_agg(lpad(to_hex(${sql.ref(flag)}), 2, '0'), '' order by byte_no), '') as ${sql.ref(flag)}`
