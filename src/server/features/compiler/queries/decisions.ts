import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { QueryOf } from '../../../../contract/calls.ts'
import type { compilerDecisions } from '../../../../contract/decisions/calls.ts'
import type { Decision } from '../../../../contract/decisions/decisions.ts'
import { decisionSentence } from '../../../../contract/decisions/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import { taskOfConfig } from '../../../tasks/task-identity.ts'
import type { CompiledVersion } from './version.ts'
import { readCompiled } from './version.ts'

type Stored = Omit<z.input<typeof Decision>, 'sentence' | 'texts' | 'source' | 'created_at' | 'ended_at'> & {
  texts: string | null
  source_task_id: number | null
  source_name: string | null
  created_at: Date
  ended_at: Date | null
}

type Version = Pick<CompiledVersion, 'rows_of' | 'began_at'>

/** Columns of rules with the records of a version to which they were applied: 0 also if they are of no use any more. */
const columns = (version: Version | null): RawBuilder<unknown> => sql`
  d.id, d.field, d.texts, d.text, d.source_task_id, t.name as source_name, d.reason, d.author, d.created_at, d.batch, d.ended_at,
  d.end_reason, d.ended_by, case when d.created_at > coalesce(${version?.began_at ?? null}::timestamptz, '-infinity') then null when d.texts is null
    then (select coalesce(sum(p.records), 0)::int from compiled_disputes p where p.snapshot_id = ${version?.rows_of ?? null}::int and p.decision_id = d.id)
    else (select coalesce(sum(g.records), 0)::int from compiled_disagreements g where g.snapshot_id = ${version?.rows_of ?? null}::int and g.decision_id = d.id)
  end as records`

/** Rules that were decided, the newest first. Throws NamedError `compiler_task_not_found`. Index: compiler_decisions_list_idx. */
export async function listDecisions(
  db: Db,
  { id, state, field, text, limit, offset }: QueryOf<typeof compilerDecisions.decisions> & { id: number },
): Promise<z.input<typeof compilerDecisions.decisions.reply>> {
  await taskOfConfig(db, id)
  const version = await readCompiled(db, id)
  const all = [sql`d.compiler_config_id = ${id}`]
  if (state !== 'all') all.push(state === 'live' ? sql`d.ended_at is null` : sql`d.ended_at is not null`)
  if (field !== undefined) all.push(sql`d.field = ${field}`)
  if (text !== undefined)
    all.push(
      sql`position(lower(${text}::text) in lower(d.field || ' ' || coalesce(d.texts, '') || ' ' || d.reason)) > 0`,
    )
  const where = sql.join(all, sql` and `)
  const { rows } = await sql<Stored>`
    select ${columns(version)} from compiler_decisions d left join tasks t on t.id = d.source_task_id
    where ${where} order by d.id desc limit ${limit} offset ${offset}`.execute(db)
  const facts = await sql<{ total_count: number; fields: string[] }>`
    select (select count(*)::int from compiler_decisions d where ${where}) as total_count,
      array(select distinct field from compiler_decisions where compiler_config_id = ${id} order by field) as fields`.execute(
    db,
  )
  const { total_count = 0, fields = [] } = facts.rows[0] ?? {}
  const has_next = offset + rows.length < total_count
  return { data: rows.map(shown), total_count, limit, offset, has_next, has_prev: offset > 0, fields }
}

/** The rules with these ids. */
export async function decisionsOf(
  db: Db,
  version: Version,
  ids: readonly number[],
): Promise<Map<number, z.input<typeof Decision>>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Stored>`
    select ${columns(version)} from compiler_decisions d left join tasks t on t.id = d.source_task_id
    where d.id = any (${[...ids]}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, shown(row)]))
}

function shown({
  texts,
  source_task_id,
  source_name,
  created_at,
  ended_at,
  ...row
}: Stored): z.input<typeof Decision> {
  const said = texts === null ? null : (JSON.parse(texts) as string[])
  return {
    ...row,
    texts: said,
    source: source_task_id === null ? null : { source_task_id, name: source_name ?? '' },
    sentence: decisionSentence({ ...row, texts: said, source: source_name }),
    created_at: created_at.toISOString(),
    ended_at: ended_at?.toISOString() ?? null,
  }
}
