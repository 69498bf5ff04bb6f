import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../platform/db.ts'

/** The task or type whose settings changed. */
export type Subject = { task_id: number } | { task_type_id: number }

type Values = Record<string, unknown>

/** All that one transaction changed in the settings of a task or type, by column. */
export type MergedChange = {
  /** Id of its last row. */
  id: number
  at: Date
  xact: string
  before: Values
  after: Values
}

const Rows = z.array(
  z.object({ before: z.record(z.string(), z.unknown()), after: z.record(z.string(), z.unknown()) }),
)

type Part = { older_than?: number | undefined; newer_than?: number; only?: number }

const ownedBy = (subject: Subject) =>
  'task_id' in subject ? sql`c.task_id = ${subject.task_id}` : sql`c.task_type_id = ${subject.task_type_id}`

/**
 * Changes of the settings, newest first, at most `limit`: all, those older or newer than the change with an id, or `only` that one.
 * What was set when the subject was added, and columns that a transaction set back, are no changes.
 */
export async function readChanges(
  db: Db,
  subject: Subject,
  { older_than, newer_than, only, limit }: Part & { limit: number },
): Promise<MergedChange[]> {
  const { rows } = await sql<{ id: string; at: Date; xact: string; rows: unknown }>`
    select max(c.id) as id, c.at, c.xact::text as xact,
      jsonb_agg(jsonb_build_object('before', c.before, 'after', c.after) order by c.id) as rows
    from setting_changes c
    where ${ownedBy(subject)} and c.at <> ${addedAt(subject)}
    group by c.at, c.xact
    having max(c.id) < ${older_than ?? null}::bigint is not false and max(c.id) > ${newer_than ?? null}::bigint is not false
      and max(c.id) = ${only ?? null}::bigint is not false
    order by max(c.id) desc limit ${limit}`.execute(db)
  return rows.map(({ id, at, xact, rows: parts }) => ({
    id: Number(id),
    at,
    xact,
    ...merged(Rows.parse(parts)),
  }))
}

const addedAt = (subject: Subject) =>
  'task_id' in subject
    ? sql`(select created_at from tasks where id = ${subject.task_id})`
    : sql`(select created_at from task_types where id = ${subject.task_type_id})`

function merged(parts: z.output<typeof Rows>): { before: Values; after: Values } {
  const before: Values = {}
  const after: Values = {}
  for (const part of parts) {
    for (const [column, value] of Object.entries(part.before)) if (!(column in before)) before[column] = value
    Object.assign(after, part.after)
  }
  for (const column of Object.keys(after))
    if (isDeepStrictEqual(before[column], after[column])) {
      delete before[column]
      delete after[column]
    }
  return { before, after }
}
