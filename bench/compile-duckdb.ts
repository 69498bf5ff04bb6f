import { hash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { createDb } from '../src/server/platform/db.ts'
import { hasRow } from '../src/server/snapshots/bit-sets.ts'
import { recordsAt } from '../src/server/snapshots/record-blocks.ts'
import { FIELDS, kindOf, SOURCES } from './compile-data.ts'

const RECORDS_AT_A_TIME = 10_000

const sources = Array.from({ length: SOURCES }, (_, n) => n + 1)
const fields = FIELDS.map((_, n) => n + 1)
const ERRORS = [
  '#N/A',
  '#REF!',
  '#VALUE!',
  '#DIV/0!',
  '#NAME?',
  '#NUM!',
  '#NULL!',
  '#ERROR!',
  'Loading...',
  'Loading…',
]
const TYPES = { number: 'DOUBLE', boolean: 'BOOLEAN', text: 'VARCHAR' }

/** Opens a DuckDB with the rows of these versions in typed tables, one per source. */
export async function loadedDuckDb(
  client: Client,
  ids: readonly number[],
  folder: string,
): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const [n, id] of ids.entries()) await loadSource(connection, client, { source: n + 1, id, folder })
  return connection
}

/** Replaces the rows of a source (counted from 1) by those of a version. */
export async function loadSource(
  connection: DuckDBConnection,
  client: Client,
  { source, id, folder }: { source: number; id: number; folder: string },
): Promise<void> {
  const file = join(folder, `source-${source}.csv`)
  const cells = fields.map((field) => `cells ->> ${field}`)
  // jsonb, because extracting a value from text parses the row from its start.
  const parsed = `select row_no, cells::jsonb as cells from snapshot_rows where snapshot_id = ${id} offset 0`
  const rows = `select row_no, cells ->> 0, ${cells.join(', ')} from (${parsed}) parsed order by row_no`
  await pipeline(client.query(copyTo(`copy (${rows}) to stdout (format csv)`)), createWriteStream(file))
  const columns = fields.map((field) => `f${field}: '${TYPES[kindOf(field)]}'`)
  await connection.run(`create or replace table s${source} as select * from
    read_csv('${file}', header = false, columns = { row_no: 'INTEGER', sku: 'VARCHAR', ${columns.join(', ')} })`)
  await rm(file)
}

/** Merges the loaded rows into a table with the same content and order as a compile: values, their sources, and flags. */
export async function mergedByDuckDb(connection: DuckDBConnection): Promise<void> {
  await connection.run('drop table if exists merged')
  const rows = sources.map((s) => `select ${s} as source, row_no, trim(sku) as sku from s${s}`)
  const places = sources.map(
    (s) =>
      `min(row_no) filter (where source = ${s}) as r${s}, count(*) filter (where source = ${s}) as n${s}`,
  )
  const values = fields.flatMap((f) => [
    `coalesce(${sources.map((s) => `s${s}.f${f}`).join(', ')}) as f${f}`,
    `case ${sources.map((s) => `when s${s}.f${f} is not null then ${s}`).join(' ')} else 0 end as from${f}`,
  ])
  const texts = fields.filter((f) => kindOf(f) === 'text')
  await connection.run(`
    create table merged as
    with keys as (
      select sku, row_number() over (order by min(source::bigint * 4294967296 + row_no)) as row_no, ${places.join(', ')}
      from (${rows.join(' union all ')}) where sku <> '' group by sku
    ), joined as (
      select keys.row_no, keys.sku, ${sources.map((s) => `keys.r${s}`).join(', ')}, ${values.join(', ')},
        ${sources.map((s) => `n${s} > 1`).join(' or ')} as is_duplicate
      from keys ${sources.map((s) => `left join s${s} on s${s}.row_no = keys.r${s}`).join(' ')}
    )
    select *, ${fields.map((f) => `f${f} is null`).join(' or ')} as has_blanks,
      ${texts.map((f) => `coalesce(f${f} in (${ERRORS.map((e) => `'${e}'`).join(', ')}), false)`).join(' or ')} as has_errors
    from joined order by row_no`)
}

// A checksum of each record that both engines can compute; the sums of equal tables are equal.
const digest = (text: string, hex: (eight: string) => string) =>
  `count(*)::int as records, sum(${hex(`substr(md5(${text}), 1, 8)`)})::text as digest`

/** The result of a merge. */
export type Outcome = { records: number; digest: string }

/** Outcome of DuckDB's merge. */
export async function duckDbOutcome(connection: DuckDBConnection): Promise<Outcome> {
  const values = fields.map(
    (f) => `coalesce(${kindOf(f) === 'number' ? `cast(f${f} * 4 as bigint)` : `f${f}`}::varchar, '')`,
  )
  const flags = ['has_blanks', 'has_errors', 'is_duplicate'].map((flag) => `${flag}::int`)
  const text = `concat_ws('|', row_no, sku, ${[...values, ...fields.map((f) => `from${f}`), ...sources.map((s) => `coalesce(r${s}, 0)`), ...flags].join(', ')})`
  const reader = await connection.runAndReadAll(
    `select ${digest(text, (eight) => `('0x' || ${eight})::bigint`)} from merged`,
  )
  return asOutcome(reader.getRowObjects()[0])
}

/** Outcome of a compile. */
export async function compiledOutcome(url: string, snapshot_id: number): Promise<Outcome> {
  const db = createDb({ url })
  try {
    const { rows_of, row_count, ...sets } = await db
      .selectFrom('snapshots as s')
      .innerJoin('compiled_versions as v', 'v.snapshot_id', 's.id')
      .select(['rows_of', 'row_count', 'has_blanks', 'has_errors', 'is_duplicate'])
      .where('s.id', '=', snapshot_id)
      .executeTakeFirstOrThrow()
    const flags = [sets.has_blanks, sets.has_errors, sets.is_duplicate]
    let sum = 0
    for (let first = 1; first <= row_count; first += RECORDS_AT_A_TIME) {
      const count = Math.min(RECORDS_AT_A_TIME, row_count + 1 - first)
      const row_nos = Array.from({ length: count }, (_, n) => first + n)
      for (const record of await recordsAt(db, rows_of ?? snapshot_id, row_nos)) {
        const { row_no, sku, cells, field_sources, source_rows } = record
        const values = fields.map((f) => {
          const value = cells[f] ?? ''
          return typeof value === 'number' ? Math.round(value * 4) : String(value)
        })
        const has = flags.map((set) => Number(hasRow(set, row_no)))
        const text = [row_no, sku, ...values, ...field_sources, ...source_rows, ...has].join('|')
        sum += Number.parseInt(hash('md5', text).slice(0, 8), 16)
      }
    }
    return { records: row_count, digest: `${sum}` }
  } finally {
    await db.destroy()
  }
}

function asOutcome(row: Record<string, unknown> | undefined): Outcome {
  return { records: Number(row?.records), digest: String(row?.digest) }
}
