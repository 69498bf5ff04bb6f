import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import type { Disagreement, Dispute } from '../../../../contract/decisions/decisions.ts'
import type { Db } from '../../../platform/db.ts'
import { type BitSet, hasRow } from '../../../snapshots/bit-sets.ts'
import { recordsAt } from '../../../snapshots/record-blocks.ts'
import { RowSet } from '../../../snapshots/row-set.ts'
import { decisionsOf } from './decisions.ts'
import { type CompiledVersion, readCompiled } from './version.ts'

const SKUS_SHOWN = 3

type DisagreementFilters = Pick<QueryOf<typeof compilerDecisions.disagreements>, 'field' | 'source' | 'text'>

type Stored = {
  id: number
  field: number
  options: { text: string; sources: number[]; wins: number }[]
  records: number
  first: number[]
  live_id: number | null
}

// Joins to disagreements `g` the live rule about their values and the one that prefers a source for their field. Joins instead of
// subqueries, because a version may have 100,000 of them.
const joinRules = ({ compiler_config_id, fields }: CompiledVersion) => sql`
  join unnest(${[...fields]}::text[]) with ordinality f (name, n) on f.n = g.field + 1
  left join compiler_decisions v on v.compiler_config_id = ${compiler_config_id} and v.ended_at is null and v.field = f.name
    and v.texts = g.texts
  left join compiler_decisions p on p.compiler_config_id = ${compiler_config_id} and p.ended_at is null and p.field = f.name
    and p.texts is null`

// The rule that decides: a preferred source does only if it is one of those that disagree.
const liveOf = ({ sources }: CompiledVersion) => sql`coalesce(v.id, case when p.id is not null
  and jsonb_path_exists(g.options, '$[*].sources[*] ? (@ == $number)', jsonb_build_object('number',
    array_position(${sources.map(({ task_id }) => task_id)}::int[], p.source_task_id))) then p.id end)`

/**
 * Disagreements of the last compile, the most frequent first. Throws NamedError `compiler_task_not_found`. Index:
 * compiled_disagreements_list_idx.
 */
export async function listDisagreements(
  db: Db,
  { id, state, limit, offset, ...filters }: QueryOf<typeof compilerDecisions.disagreements> & { id: number },
): Promise<z.input<typeof compilerDecisions.disagreements.reply>> {
  const version = await readCompiled(db, id)
  const page = { limit, offset, has_prev: offset > 0 }
  if (version === null)
    return {
      ...{ data: [], total_count: 0, ...page, has_next: false, counts: { open: 0, decided: 0, rules: 0 } },
      ...{ fields: [], sources: [] },
    }
  const where = conditions(version, filters)
  const live = liveOf(version)
  const states = {
    open: sql`${live} is null`,
    decided: sql`${live} is not null`,
    all: sql`true`,
  }
  const { rows } = await sql<Stored>`
    select g.id, g.field, g.options, g.records, g.rows[1:${SKUS_SHOWN}] as first, ${live} as live_id from compiled_disagreements g ${joinRules(version)}
    where ${where} and ${states[state]} order by g.records desc, g.id limit ${limit} offset ${offset}`.execute(
    db,
  )
  const counts = await sql<{
    total: number
    open: number
    decided: number
    rules: number
    fields: number[] | null
  }>`
    select (select count(*)::int from compiled_disagreements g ${joinRules(version)} where ${where} and ${states[state]}) as total,
      count(*) filter (where live_id is null)::int as open, count(live_id)::int as decided, array_agg(distinct field) as fields,
      (select count(*)::int from compiler_decisions where compiler_config_id = ${id} and ended_at is null) as rules
    from (select g.field, ${live} as live_id from compiled_disagreements g ${joinRules(version)} where g.snapshot_id = ${version.rows_of}) one`.execute(
    db,
  )
  const { total = 0, open = 0, decided = 0, rules = 0, fields = null } = counts.rows[0] ?? {}
  const groups = await groupsOf(db, id)
  const decisions = await decisionsOf(
    db,
    version,
    rows.flatMap(({ live_id }) => live_id ?? []),
  )
  const skus = await skusAt(
    db,
    version,
    rows.flatMap(({ first }) => first),
  )
  return {
    data: rows.map(({ live_id, first, ...row }) => ({
      ...shown(row, version),
      skus: first.flatMap((row_no) => skus.get(row_no) ?? []),
      group: groups.get(version.fields[row.field] ?? '') ?? null,
      decision: decisions.get(live_id ?? 0) ?? null,
    })),
    ...{
      total_count: total,
      ...page,
      has_next: offset + rows.length < total,
      counts: { open, decided, rules },
    },
    fields: (fields ?? []).map((field) => version.fields[field] ?? '').toSorted(),
    sources: version.sources.map(({ task_id, name }) => ({ source_task_id: task_id, name })),
  }
}

/** Sources that disagree about a field. Throws NamedError `compiler_task_not_found`. */
export async function listDisputes(
  db: Db,
  { id, limit, offset, field, source }: QueryOf<typeof compilerDecisions.disputes> & { id: number },
): Promise<z.input<typeof compilerDecisions.disputes.reply>> {
  const version = await readCompiled(db, id)
  const page = { limit, offset, has_prev: offset > 0 }
  if (version === null) return { data: [], total_count: 0, ...page, has_next: false }
  const { rows } = await sql<
    Omit<z.input<typeof Dispute>, 'field' | 'sources' | 'decision'> & {
      field: number
      sources: number[]
      decision_id: number | null
      total: number
    }
  >`
    select p.field, p.sources, sum(p.records)::int as records, sum(p.unlisted)::int as unlisted, count(*) over ()::int as total, (
      select d.id from compiler_decisions d where d.compiler_config_id = ${id} and d.ended_at is null and d.texts is null
        and md5(d.field) = md5((${version.fields}::text[])[p.field + 1]) and md5(coalesce(d.texts, '')) = md5('')
    ) as decision_id
    from compiled_disputes p
    where p.snapshot_id = ${version.rows_of} and ${ofField(version, 'p', field)}
      and ${source === undefined ? sql`true` : sql`${numberOf(version, source)} = any (p.sources)`}
    group by p.field, p.sources order by records desc, p.field, p.sources limit ${limit} offset ${offset}`.execute(
    db,
  )
  const decisions = await decisionsOf(
    db,
    version,
    rows.flatMap(({ decision_id }) => decision_id ?? []),
  )
  const total_count = rows[0]?.total ?? 0
  return {
    data: rows.map(({ field, sources, records, unlisted, decision_id }) => ({
      field: version.fields[field] ?? '',
      sources: namesOf(version, sources),
      records,
      unlisted,
      decision: decisions.get(decision_id ?? 0) ?? null,
    })),
    ...{ total_count, ...page, has_next: offset + rows.length < total_count },
  }
}

/** The open disagreements that match, at most `limit`, the most frequent first. */
export async function openDisagreements(
  db: Db,
  version: CompiledVersion,
  { limit, ...filters }: DisagreementFilters & { limit: number },
): Promise<{ field: string; texts: string[]; options: Stored['options'] }[]> {
  const { rows } = await sql<Pick<Stored, 'field' | 'options'> & { texts: string }>`
    select g.field, g.texts, g.options from compiled_disagreements g ${joinRules(version)}
    where ${conditions(version, filters)} and ${liveOf(version)} is null
    order by g.records desc, g.id limit ${limit}`.execute(db)
  return rows.map(({ field, texts, options }) => ({
    field: version.fields[field] ?? '',
    texts: JSON.parse(texts) as string[],
    options,
  }))
}

/** Rows of the records with the values of a disagreement. Unknown ones have none. */
export async function disagreementSet(
  db: Db,
  { rows_of }: Pick<CompiledVersion, 'rows_of'>,
  id: number,
): Promise<BitSet> {
  const disagreement = await db
    .selectFrom('compiled_disagreements')
    .select('rows')
    .where('id', '=', id)
    .where('snapshot_id', '=', rows_of)
    .executeTakeFirst()
  const found = new RowSet()
  for (const row_no of disagreement?.rows ?? []) found.add(row_no - 1)
  return found.bits
}

/** For each field of a group the other fields of it. */
export async function groupsOf(db: Db, config_id: number): Promise<Map<string, string[]>> {
  const config = await db
    .selectFrom('compiler_configs')
    .select('field_groups')
    .where('id', '=', config_id)
    .executeTakeFirst()
  return new Map(
    (config?.field_groups ?? []).flatMap((group) =>
      group.map((name) => [name, group.filter((other) => other !== name)] as const),
    ),
  )
}

function conditions(
  version: CompiledVersion,
  { field, source, text }: DisagreementFilters,
): RawBuilder<unknown> {
  const all = [sql`g.snapshot_id = ${version.rows_of}`, ofField(version, 'g', field)]
  if (source !== undefined)
    all.push(
      sql`jsonb_path_exists(g.options, '$[*].sources[*] ? (@ == $number)', jsonb_build_object('number', ${numberOf(version, source)}::int))`,
    )
  if (text !== undefined) all.push(sql`position(lower(${text}::text) in lower(g.texts)) > 0`)
  return sql.join(all, sql` and `)
}

const ofField = ({ fields }: CompiledVersion, table: string, field: string | undefined) =>
  field === undefined ? sql`true` : sql`${sql.ref(`${table}.field`)} = ${fields.indexOf(field)}`

const numberOf = ({ sources }: CompiledVersion, task_id: number) =>
  sources.findIndex((source) => source.task_id === task_id) + 1

const namesOf = ({ sources }: CompiledVersion, numbers: readonly number[]) =>
  numbers.flatMap((number) => {
    const source = sources[number - 1]
    return source ? [{ source_task_id: source.task_id, name: source.name }] : []
  })

function shown(
  { id, field, options, records }: Pick<Stored, 'id' | 'field' | 'options' | 'records'>,
  version: CompiledVersion,
): Pick<z.input<typeof Disagreement>, 'id' | 'field' | 'options' | 'records'> {
  return {
    id,
    field: version.fields[field] ?? '',
    options: options.map(({ text, sources, wins }) => ({ text, wins, sources: namesOf(version, sources) })),
    records,
  }
}

async function skusAt(
  db: Db,
  { rows_of, removed }: CompiledVersion,
  row_nos: readonly number[],
): Promise<Map<number, string>> {
  const wanted = [...new Set(row_nos)].filter((row_no) => !hasRow(removed, row_no)).toSorted((a, b) => a - b)
  const records = await recordsAt(db, rows_of, wanted)
  return new Map(records.map(({ row_no, sku }) => [row_no, sku]))
}
