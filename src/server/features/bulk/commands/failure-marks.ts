import { sql } from 'kysely'
import { z } from 'zod'
import { bulkServerMessages as messages } from '../../../../contract/bulk/server-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Actor } from '../../../platform/audit.ts'
import type { Trx } from '../../../platform/db.ts'
import { NamedError } from '../../../platform/errors.ts'
import { stateOfTask } from '../../../tasks/list/type-states.ts'
import type { BulkTask } from '../queries/targets.ts'
import { type Acted, done, type Outcome, refused, skipped } from './outcomes.ts'

const FormerMark = z.object({
  kind: z.enum(['acknowledged', 'snoozed']),
  cause: z.string(),
  user_id: z.int(),
  at: z.string(),
  until: z.nullable(z.string()),
})
const FormerClaim = FormerMark.omit({ kind: true, until: true })
const replaced = <T extends z.ZodType>(row: T) =>
  z.object({ at: z.nullable(z.string()), before: z.nullable(row) })

/** What an undo restores: `at` of the row that replaced `before`; null: no row is there. Times have microseconds. */
export const FormerOfMarks = {
  mark: z.optional(replaced(FormerMark)),
  claim: z.optional(replaced(FormerClaim)),
}
type Mark = z.output<typeof FormerMark>
type Claim = z.output<typeof FormerClaim>
type Replaced<T> = { at: string | null; before: T | null }

type Current = {
  id: number
  /** Of what is wrong with the last run; null: nothing. */
  cause: string | null
  mark: Mark | null
  claim: Claim | null
  /** The mark is in effect. */
  is_marked: boolean
  marked_by: string | null
  claimed_by: string | null
}

// The caller has locked the tasks, so that two users mark one after the other.
async function readCurrent(trx: Trx, tasks: readonly BulkTask[]): Promise<Map<number, Current>> {
  const { rows } = await sql<Current>`
    select t.id, c.cause,
      case when m.task_id is not null then jsonb_build_object('kind', m.kind, 'cause', m.cause, 'user_id', m.user_id,
        'at', m.at::text, 'until', m.until::text) end as mark,
      case when k.task_id is not null then jsonb_build_object('cause', k.cause, 'user_id', k.user_id, 'at', k.at::text) end as claim,
      coalesce(m.cause = c.cause and (m.until is null or m.until > now()), false) as is_marked,
      mu.email as marked_by, ku.email as claimed_by
    from tasks t left join runs r on r.id = t.last_run_id
    cross join lateral (
      select cause_of_end(t.id, ${stateOfTask}, r.error, r.message, r.warnings, r.stop_asked_by) as cause
    ) c
    left join failure_marks m on m.task_id = t.id left join users mu on mu.id = m.user_id
    left join failure_claims k on k.task_id = t.id left join users ku on ku.id = k.user_id
    where t.id = any (${tasks.map(({ id }) => id)}::int[])`.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Decides for each task: an outcome, or the cause under which it is changed. */
type Decide = (task: BulkTask, current: Current) => Outcome | { cause: string }

function decided(tasks: readonly BulkTask[], current: Map<number, Current>, decide: Decide) {
  const outcomes = new Map<number, Outcome>()
  const changes: { task_id: number; title: string; cause: string }[] = []
  for (const task of tasks) {
    const now = current.get(task.id)
    const decision = now && decide(task, now)
    if (decision && 'cause' in decision) changes.push({ task_id: task.id, title: task.title, ...decision })
    else if (decision) outcomes.set(task.id, decision)
  }
  return { outcomes, changes }
}

const wrong = (task: BulkTask, { cause }: Current): Outcome | { cause: string } =>
  cause === null ? skipped(messages.nothing_wrong(task.title)) : { cause }

/** Acknowledges what is wrong with the last runs of these tasks, until it changes. */
export const acknowledgeFailures = (trx: Trx, actor: Actor, tasks: readonly BulkTask[]): Promise<Acted> =>
  setMarks(trx, actor, tasks, {
    kind: 'acknowledged',
    until: null,
    say: messages.failure_acknowledged,
    decide: (task, now) =>
      now.is_marked && now.mark?.kind === 'acknowledged'
        ? skipped(messages.acknowledged_by(task.title, now.marked_by ?? ''))
        : wrong(task, now),
  })

/** Hides what is wrong with the last runs of these tasks until a moment, or until it changes. Throws NamedError `invalid`. */
export async function snooze(
  trx: Trx,
  actor: Actor,
  until: string,
  tasks: readonly BulkTask[],
): Promise<Acted> {
  const { rows } = await sql<{ is_past: boolean; is_far: boolean }>`
    select ${until}::timestamptz <= now() as is_past,
      ${until}::timestamptz > now() + ${limits.snooze_days_max} * interval '1 day' as is_far`.execute(trx)
  if (rows[0]?.is_past) throw new NamedError('invalid', { field: 'until', message: messages.until_past })
  if (rows[0]?.is_far)
    throw new NamedError('invalid', { field: 'until', message: messages.until_far(limits.snooze_days_max) })
  return setMarks(trx, actor, tasks, { kind: 'snoozed', until, say: messages.snoozed, decide: wrong })
}

type Marking = {
  kind: Mark['kind']
  until: string | null
  say: (name: string) => string
  decide: Decide
}

async function setMarks(
  trx: Trx,
  actor: Actor,
  tasks: readonly BulkTask[],
  { kind, until, say, decide }: Marking,
): Promise<Acted> {
  const current = await readCurrent(trx, tasks)
  const { outcomes, changes } = decided(tasks, current, decide)
  const { rows } = await sql<{ task_id: number; at: string }>`
    insert into failure_marks (task_id, kind, cause, user_id, until)
    select c.task_id, ${kind}, c.cause, ${actor.id}, ${until}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (task_id int, cause text)
    on conflict (task_id) do update set kind = excluded.kind, cause = excluded.cause, user_id = excluded.user_id,
      at = excluded.at, until = excluded.until
    returning task_id, at::text`.execute(trx)
  const former = rows.map(
    ({ task_id, at }) => [task_id, { mark: { at, before: current.get(task_id)?.mark ?? null } }] as const,
  )
  for (const { task_id, title } of changes) outcomes.set(task_id, done(say(title)))
  return { outcomes, former: new Map(former) }
}

/** Removes the marks of these tasks. */
export async function unmark(trx: Trx, tasks: readonly BulkTask[]): Promise<Acted> {
  const current = await readCurrent(trx, tasks)
  const { outcomes, changes } = decided(tasks, current, (task, { is_marked, mark }) =>
    is_marked && mark ? { cause: mark.cause } : skipped(messages.not_marked(task.title)),
  )
  await trx
    .deleteFrom('failure_marks')
    .where(sql<boolean>`task_id = any (${changes.map(({ task_id }) => task_id)}::int[])`)
    .execute()
  for (const { task_id, title } of changes) outcomes.set(task_id, done(messages.unmarked(title)))
  const former = changes.map(
    ({ task_id }) => [task_id, { mark: { at: null, before: current.get(task_id)?.mark ?? null } }] as const,
  )
  return { outcomes, former: new Map(former) }
}

/** Records that a user works on the failures of these tasks. A task that another user works on is refused. */
export async function claim(trx: Trx, actor: Actor, tasks: readonly BulkTask[]): Promise<Acted> {
  const current = await readCurrent(trx, tasks)
  const { outcomes, changes } = decided(tasks, current, (task, now) => {
    const is_claimed = now.claim !== null && now.claim.cause === now.cause
    if (is_claimed && now.claim?.user_id !== actor.id)
      return refused(messages.claimed_by(task.title, now.claimed_by ?? ''))
    return is_claimed ? skipped(messages.claimed_already(task.title)) : wrong(task, now)
  })
  const { rows } = await sql<{ task_id: number; at: string }>`
    insert into failure_claims (task_id, cause, user_id)
    select c.task_id, c.cause, ${actor.id}
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (task_id int, cause text)
    on conflict (task_id) do update set cause = excluded.cause, user_id = excluded.user_id, at = excluded.at
    returning task_id, at::text`.execute(trx)
  for (const { task_id, title } of changes) outcomes.set(task_id, done(messages.claimed(title)))
  const former = rows.map(
    ({ task_id, at }) => [task_id, { claim: { at, before: current.get(task_id)?.claim ?? null } }] as const,
  )
  return { outcomes, former: new Map(former) }
}

/** Ends the claims of these tasks, regardless of the user who made them. */
export async function release(trx: Trx, tasks: readonly BulkTask[]): Promise<Acted> {
  const current = await readCurrent(trx, tasks)
  const { outcomes, changes } = decided(tasks, current, (task, { claim: made, cause }) =>
    made && made.cause === cause ? { cause: made.cause } : skipped(messages.not_claimed(task.title)),
  )
  await trx
    .deleteFrom('failure_claims')
    .where(sql<boolean>`task_id = any (${changes.map(({ task_id }) => task_id)}::int[])`)
    .execute()
  for (const { task_id, title } of changes) outcomes.set(task_id, done(messages.released(title)))
  const former = changes.map(
    ({ task_id }) => [task_id, { claim: { at: null, before: current.get(task_id)?.claim ?? null } }] as const,
  )
  return { outcomes, former: new Map(former) }
}

type Restored = {
  id: number
  mark?: Replaced<Mark> | undefined
  claim?: Replaced<Claim> | undefined
}

/** Restores replaced marks and claims where nothing has changed since; returns those tasks. */
export async function restoreMarksAndClaims(trx: Trx, changes: readonly Restored[]): Promise<Set<number>> {
  const marks = changes.flatMap(({ id, mark }) => (mark ? [{ id, ...mark }] : []))
  const claims = changes.flatMap(({ id, claim: made }) => (made ? [{ id, ...made }] : []))
  return new Set([
    ...(await restoreRows(trx, 'failure_marks', marks)),
    ...(await restoreRows(trx, 'failure_claims', claims)),
  ])
}

async function restoreRows(
  trx: Trx,
  table: 'failure_marks' | 'failure_claims',
  changes: readonly ({ id: number } & Replaced<Mark | Claim>)[],
): Promise<number[]> {
  if (changes.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    with asked as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c (id int, at timestamptz)
    )
    select a.id from asked a left join ${sql.table(table)} m on m.task_id = a.id
    where m.at is not distinct from a.at`.execute(trx)
  const unchanged = new Set(rows.map(({ id }) => id))
  await sql`delete from ${sql.table(table)} where task_id = any (${[...unchanged]}::int[])`.execute(trx)
  const before = changes.flatMap((change) =>
    change.before && unchanged.has(change.id) ? [{ task_id: change.id, ...change.before }] : [],
  )
  const columns = sql.raw(
    table === 'failure_marks' ? 'task_id, cause, user_id, at, kind, until' : 'task_id, cause, user_id, at',
  )
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_to_recordset(${JSON.stringify(before)}::jsonb)
      as c (task_id int, cause text, user_id int, at timestamptz, kind text, until timestamptz)
    where user_id in (select id from users)`.execute(trx)
  return [...unchanged]
}
