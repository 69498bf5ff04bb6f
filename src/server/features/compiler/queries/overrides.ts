import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { compilerOverrides, OverrideFilters } from '../../../../contract/overrides/calls.ts'
import type { Override, RecordOverride } from '../../../../contract/overrides/overrides.ts'
import { overrideServerMessages as messages } from '../../../../contract/overrides/server-messages.ts'
import type { CellValue } from '../../../../contract/tables.ts'
import { writeCsv } from '../../../platform/csv/rows.ts'
import type { Db } from '../../../platform/db.ts'
import type { FileAnswer } from '../../../platform/http/feature.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'

type Page = z.input<typeof compilerOverrides.list.reply>
type Values = Record<string, CellValue>
type Row = Omit<z.input<typeof Override>, 'note' | 'changes' | 'created_at' | 'ended_at'> & {
  created_at: Date
  ended_at: Date | null
  accepted: Values | null
  observed: Values | null
  /** Names of the configuration's sources by the id of their task. */
  names: Record<string, string>
}

const COLUMNS = sql`o.id, o.sku, o.field, o.value, o.reason, o.ends_on::text as ends_on, o.state, o.found, o.author, o.created_at, o.batch,
  o.end_reason, o.ended_at, o.ended_by, o.accepted, o.observed, (
    select coalesce(jsonb_object_agg(t.id, t.name), '{}') from compiler_sources s join tasks t on t.id = s.source_task_id
    where s.compiler_config_id = o.compiler_config_id
  ) as names`

const IS_WAITING = sql`(o.state <> 'ended' and o.found in ('no_sku', 'no_field'))`

/** Lists overrides, the newest first. Throws NamedError `compiler_task_not_found`. Index: compiler_overrides_list_idx. */
export async function listOverrides(
  db: Db,
  { id, limit, offset, ...filters }: OverrideFilters & { id: number; limit: number; offset: number },
): Promise<Page> {
  await taskOfConfig(db, id)
  const where = overrideConditions(id, filters)
  const { rows } = await sql<Row>`
    select ${COLUMNS} from compiler_overrides o where ${where} order by o.id desc limit ${limit} offset ${offset}`.execute(
    db,
  )
  const facts = await sql<
    Pick<Page, 'counts' | 'total_count'> & { fields: string[] | null; authors: string[] | null }
  >`
    select (select count(*)::int from compiler_overrides o where ${where}) as total_count,
      jsonb_build_object('active', count(*) filter (where state = 'active'), 'review', count(*) filter (where state = 'review'),
        'waiting', count(*) filter (where ${IS_WAITING}), 'ended', count(*) filter (where state = 'ended')) as counts,
      array_agg(distinct field order by field) as fields, array_agg(distinct author order by author) as authors
    from compiler_overrides o where compiler_config_id = ${id}`.execute(db)
  const { total_count, counts, fields, authors } = facts.rows[0] ?? {
    ...{
      total_count: 0,
      counts: { active: 0, review: 0, waiting: 0, ended: 0 },
      fields: null,
      authors: null,
    },
  }
  const has_next = offset + rows.length < total_count
  return {
    ...{ data: rows.map(shown), total_count, limit, offset, has_next, has_prev: offset > 0 },
    ...{ counts, fields: fields ?? [], authors: authors ?? [] },
  }
}

/** Overrides as a CSV file in the format of an import. Throws NamedError `compiler_task_not_found`. */
export async function exportOverrides(
  db: Db,
  { id, ...filters }: OverrideFilters & { id: number },
): Promise<FileAnswer> {
  await taskOfConfig(db, id)
  const { rows } = await sql<FileRow>`
    select sku, field, value, reason, ends_on::text as ends_on from compiler_overrides o
    where ${overrideConditions(id, filters)} order by id`.execute(db)
  return {
    content: writeCsv(CSV_COLUMNS, inFile(rows)),
    filename: `compiler_config_${id}_overrides.csv`,
  }
}

type FileRow = Record<(typeof CSV_COLUMNS)[number], CellValue>

async function* inFile(rows: readonly FileRow[]): AsyncGenerator<CellValue[]> {
  for (const row of rows) yield CSV_COLUMNS.map((name) => row[name])
}

/** Columns of a file of overrides. */
export const CSV_COLUMNS = ['sku', 'field', 'value', 'reason', 'ends_on'] as const

/** The overrides with these ids. */
export async function overridesOf(db: Db, ids: readonly number[]): Promise<Map<number, RecordedOverride>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select ${COLUMNS} from compiler_overrides o where o.id = any (${[...ids]}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, shown(row)]))
}

/** The live overrides of a SKU, by field. Index: compiler_overrides_cell_idx. */
export async function liveOverridesOf(
  db: Db,
  { config_id, sku }: { config_id: number; sku: string },
): Promise<Map<string, RecordedOverride>> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from compiler_overrides o
    where o.compiler_config_id = ${config_id} and md5(o.sku) = md5(${sku}) and o.state <> 'ended'`.execute(db)
  return new Map(rows.map((row) => [row.field, shown(row)]))
}

type RecordedOverride = z.input<typeof Override> & z.input<typeof RecordOverride>

/** Ids of the overrides in records of the version that holds the rows, by row and the field's position. */
export async function overridesInRows(
  db: Db,
  rows_of: number,
  row_nos: readonly number[],
): Promise<{ row_no: number; field: number; override_id: number }[]> {
  return db
    .selectFrom('compiled_overrides')
    .select(['row_no', 'field', 'override_id'])
    .where('snapshot_id', '=', rows_of)
    .where('row_no', 'in', [...row_nos])
    .orderBy('row_no')
    .orderBy('field')
    .execute()
}

/** For each SKU of a version with overridden fields: what was set, by whom and why. */
export async function overriddenSkus(
  db: Db,
  { rows_of, fields }: { rows_of: number; fields: readonly string[] },
): Promise<Map<string, string>> {
  const { rows } = await sql<{
    sku: string
    field: number
    author: string
    reason: string
    ends_on: string | null
  }>`
    select o.sku, c.field, o.author, o.reason, o.ends_on::text as ends_on
    from compiled_overrides c join compiler_overrides o on o.id = c.override_id
    where c.snapshot_id = ${rows_of} order by c.row_no, c.field`.execute(db)
  const texts = new Map<string, string>()
  for (const { sku, field, ...override } of rows) {
    const text = messages.exported(fields[field] ?? '', override)
    texts.set(sku, [...(texts.has(sku) ? [texts.get(sku)] : []), text].join('; '))
  }
  return texts
}

/** SQL condition of the overrides of a configuration that match all filters; the table is `o`. */
export function overrideConditions(
  config_id: number,
  { state, field, author, text }: OverrideFilters,
): RawBuilder<unknown> {
  const all = [sql`o.compiler_config_id = ${config_id}`]
  if (state === 'live') all.push(sql`o.state <> 'ended'`)
  else if (state === 'waiting') all.push(IS_WAITING)
  else if (state !== undefined) all.push(sql`o.state = ${state}`)
  if (field !== undefined) all.push(sql`o.field = ${field}`)
  if (author !== undefined) all.push(sql`o.author = ${author}`)
  if (text !== undefined)
    all.push(
      sql`position(lower(${text}::text) in lower(o.sku || ' ' || coalesce(o.value #>> '{}', '') || ' ' || o.reason)) > 0`,
    )
  return sql.join(all, sql` and `)
}

function shown({ accepted, observed, names, created_at, ended_at, ...row }: Row): RecordedOverride {
  const changes = row.state === 'review' ? changesOf({ accepted, observed, names }) : []
  return {
    ...row,
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
    changes,
    note: noteOf(
      row,
      changes.map(({ name }) => name),
    ),
  }
}

function changesOf({ accepted, observed, names }: Pick<Row, 'accepted' | 'observed' | 'names'>) {
  return Object.entries(names).flatMap(([task_id, name]) => {
    const from = accepted?.[task_id] ?? null
    const to = observed?.[task_id] ?? null
    return from === to ? [] : [{ name, from, to }]
  })
}

function noteOf(
  { state, found, end_reason, ended_by }: Pick<Row, 'state' | 'found' | 'end_reason' | 'ended_by'>,
  changed: readonly string[],
): string {
  if (state === 'ended') {
    const ended = messages.ended[end_reason ?? 'date']
    return typeof ended === 'string' ? ended : ended(ended_by ?? '')
  }
  if (state === 'review') return messages.review(changed)
  return found === null ? messages.set : messages[found]
}
