import { type RawBuilder, sql } from 'kysely'
import type { allRuns, ListedRun } from '../../../../contract/all-runs/calls.ts'
import type { QueryOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import type { RunState } from '../../../../contract/runs/status.ts'
import type { Db } from '../../../platform/db.ts'
import { readListed } from './listed.ts'

type Query = QueryOf<typeof allRuns.list>
type Filters = Omit<Query, 'cursor' | 'limit'>
type Page = { runs: ListedRun[]; next: number | null; searched_to: string | null }

/** `last_id`: the oldest run that was looked at, if there are older ones. */
type Found = { ids: number[] | null; last_id: number | null }

/**
 * Lists the runs of all tasks that pass the filters, newest first. Looks at `limits.runs_scanned` runs at most, so its time does not
 * depend on the size of the history; `next` then continues where it ended, even if the page is not full.
 */
export async function listRuns(db: Db, { cursor, limit, ...filters }: Query): Promise<Page> {
  // A materialized list of ids in order, so that the runs are read by primary key until the page is full.
  const { rows } = await sql<Found>`
    with candidates as materialized (${candidates(filters, within(filters, cursor))}),
    found as (
      select c.id from candidates c
      where case when ${isListed(filters)} then (select ${passes(filters)} from runs r where r.id = c.id) end
      limit ${limit + 1}
    ), page as materialized (select array_agg(id) as ids from found)
    -- Candidates are read on only if the page is not full.
    select ids, case when coalesce(cardinality(ids), 0) <= ${limit} then (
      select case when count(*) = ${limits.runs_scanned} then min(id) end from candidates) end as last_id
    from page`.execute(db)
  const { ids, last_id } = rows[0] ?? { ids: null, last_id: null }
  const shown = (ids ?? []).toSorted((one, other) => other - one).slice(0, limit)
  const next = (ids?.length ?? 0) > limit ? (shown.at(-1) ?? null) : last_id
  const runs = await readListed(db, shown)
  const last = runs.at(-1)
  const searched_to = next === null ? null : last?.id === next ? last.queued_at : await queuedAt(db, next)
  return { runs, next, searched_to }
}

async function queuedAt(db: Db, id: number): Promise<string | null> {
  const run = await db.selectFrom('runs').select('queued_at').where('id', '=', id).executeTakeFirst()
  return run?.queued_at.toISOString() ?? null
}

const passes = ({ state, category, task_type_id, task_id, trigger, user_id, from, to, search }: Filters) => {
  const conditions: RawBuilder<unknown>[] = []
  if (state) conditions.push(sql`r.state = any (${state}::text[])`)
  if (category) conditions.push(sql`r.category = ${category}`)
  if (task_type_id) conditions.push(sql`r.task_type_id = ${task_type_id}`)
  if (task_id) conditions.push(sql`r.task_id = ${task_id}`)
  if (trigger) conditions.push(sql`r.trigger = ${trigger}`)
  if (user_id) conditions.push(sql`r.triggered_by = ${user_id}`)
  if (from) conditions.push(sql`r.queued_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql`r.queued_at < ${to}::timestamptz`)
  if (search?.trim()) {
    const pattern = `%${search.trim().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    conditions.push(
      sql`(r.task_name ilike ${pattern} or r.trigger_label ilike ${pattern} or r.error ilike ${pattern} or r.message ilike ${pattern})`,
    )
  }
  return conditions.length === 0 ? sql`true` : sql`coalesce(${sql.join(conditions, sql` and `)}, false)`
}

/**
 * Whether the indexes of the filters that did not choose the candidates have candidate `c`, too. Candidates are far apart in the
 * table, so reading a run takes a page from disk; an index has hundreds of them on a page.
 */
function isListed({ state, category, task_id, trigger, user_id }: Filters): RawBuilder<unknown> {
  // Only an index that begins with the column can compare rows. With `f.id = c.id`, the planner would read the run by primary key.
  const has = (column: string, value: string, restriction = sql`true`) => {
    const entry = sql`(${sql.ref(`f.${column}`)}, f.id)`
    return sql`(select true from runs f where ${entry} >= (${value}, c.id) and ${entry} <= (${value}, c.id) and ${restriction})`
  }
  const conditions: RawBuilder<unknown>[] = []
  const by_state = state?.every(isIn(ENDED_BADLY))
  const by_user_or_task = task_id !== undefined || user_id !== undefined
  if (by_state && by_user_or_task) {
    const ended = [...new Set(state)].map((one) =>
      has('state', one, sql`f.state in ('stopped', 'warning', 'failed', 'error')`),
    )
    conditions.push(sql`coalesce(${sql.join(ended, sql`, `)})`)
  }
  if (by_state || by_user_or_task) {
    if (category) conditions.push(has('category', category))
    if (trigger && trigger !== 'schedule')
      conditions.push(has('trigger', trigger, sql`f.trigger <> 'schedule'`))
  }
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

/** Bounds on ids. Ids rise with `queued_at`, but for transactions that overlap: an hour is longer than any of them takes. */
function within({ from, to }: Filters, cursor: number | undefined): RawBuilder<unknown> {
  const bounds = [sql`r.id < ${cursor ?? null}::int is not false`]
  if (cursor) bounds[0] = sql`r.id < ${cursor}`
  // Index: runs_queued_at_idx.
  if (from)
    bounds.push(sql`r.id >= coalesce((select b.id from runs b
      where b.queued_at >= ${from}::timestamptz - interval '1 hour' order by b.queued_at limit 1), 2147483647)`)
  if (to)
    bounds.push(sql`r.id <= coalesce((select b.id from runs b
      where b.queued_at < ${to}::timestamptz + interval '1 hour' order by b.queued_at desc limit 1), 0)`)
  return sql.join(bounds, sql` and `)
}

const ENDED_BADLY = ['stopped', 'warning', 'failed', 'error'] as const
const LIVE = ['queued', 'running', 'stopping'] as const
const isIn =
  <S extends RunState>(some: readonly S[]) =>
  (state: RunState): state is S =>
    some.some((one) => one === state)

/** Ids of runs by the filter that selects fewest, newest first. */
function candidates(filters: Filters, bounds: RawBuilder<unknown>): RawBuilder<unknown> {
  const { state, category, task_type_id, task_id, trigger, user_id } = filters
  const limit = sql`limit ${limits.runs_scanned}`
  // `between` instead of `=` keeps the column in the order, which only the named index serves. With `=` the planner would
  // sometimes scan the primary key backwards, through the whole history if the last match is old.
  const by = (column: string, value: string | number) => {
    const name = sql.ref(`r.${column}`)
    return sql`select r.id from runs r where ${name} between ${value} and ${value} and ${bounds} order by ${name} desc, r.id desc ${limit}`
  }
  if (task_id)
    return sql`select r.id from runs r where r.task_id between ${task_id} and ${task_id} and ${bounds}
      order by r.task_id, r.id desc ${limit}`
  if (user_id) return by('triggered_by', user_id)
  if (state && !state.includes('success')) return byStates(state, task_type_id, bounds, limit)
  if (trigger && trigger !== 'schedule')
    return sql`select r.id from runs r where r.trigger between ${trigger} and ${trigger} and r.trigger <> 'schedule' and ${bounds}
      order by r.trigger desc, r.id desc ${limit}`
  if (task_type_id) return by('task_type_id', task_type_id)
  if (category) return by('category', category)
  return sql`select r.id from runs r where ${bounds} order by r.id desc ${limit}`
}

function byStates(
  state: readonly RunState[],
  task_type_id: number | undefined,
  bounds: RawBuilder<unknown>,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // Index: runs_outcome_idx, with a type runs_type_outcome_idx.
  const type = task_type_id
    ? {
        is: sql`r.task_type_id between ${task_type_id} and ${task_type_id} and`,
        order: sql`r.task_type_id desc,`,
      }
    : { is: sql``, order: sql`` }
  const ended = [...new Set(state)].filter(isIn(ENDED_BADLY)).map(
    (one) => sql`(select r.id from runs r where ${type.is} r.state between ${one} and ${one}
      and r.state in ('stopped', 'warning', 'failed', 'error') and ${bounds} order by ${type.order} r.state desc, r.id desc ${limit})`,
  )
  const live = state.filter(isIn(LIVE))
  // The fence keeps the order out: only the partial indexes of live runs serve the condition.
  const of_live =
    live.length > 0
      ? [
          sql`(select l.id from (
            select r.id, r.state from runs r where r.state in ('queued', 'running', 'stopping') and ${bounds} offset 0
          ) l where l.state = any (${live}::text[]))`,
        ]
      : []
  return sql`select u.id from (${sql.join([...ended, ...of_live], sql` union all `)}) u order by u.id desc ${limit}`
}
