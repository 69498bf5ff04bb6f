import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { BodyOf } from '../../../../contract/calls.ts'
import { limits } from '../../../../contract/limits.ts'
import type { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import { overrideConditions } from '../queries/overrides.ts'
import { lockConfig, nextBatch } from './set-overrides.ts'

type Decision = BodyOf<typeof compilerOverrides.review>
type Undone = z.input<typeof compilerOverrides.undo.reply>

// A cell may have got another override meanwhile.
const isFree = sql`not exists (
  select from compiler_overrides other where other.compiler_config_id = o.compiler_config_id and md5(other.sku) = md5(o.sku)
    and md5(other.field) = md5(o.field) and other.state <> 'ended')`

// The sources may have changed before it ended.
const REVIVED = sql`state = case when observed <> accepted then 'review' else 'active' end, ended_at = null, end_reason = null, ended_by = null`

const dropped = (actor: Actor, reason: 'dropped' | 'undone') =>
  sql`state = 'ended', ended_at = now(), end_reason = ${reason}, ended_by = ${actor.email}`

/**
 * Keeps, drops or restores overrides. Returns how many have changed, and the change for `undoOverrides`. Throws NamedError
 * `compiler_task_not_found`.
 */
export const decideOverrides = (
  db: Db,
  actor: Actor,
  { id, ids, filters, decision }: Decision & { id: number },
): Promise<z.input<typeof compilerOverrides.review.reply>> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const changes: Record<Decision['decision'], { set: RawBuilder<unknown>; where: RawBuilder<unknown> }> = {
      keep: {
        set: sql`state = 'active', accepted = coalesce(observed, accepted)`,
        where: sql`state = 'review'`,
      },
      drop: { set: dropped(actor, 'dropped'), where: sql`state <> 'ended'` },
      restore: { set: REVIVED, where: sql`end_reason = 'dropped' and ${isFree}` },
    }
    const { set, where } = changes[decision]
    const matches = sql`${ids === undefined ? overrideConditions(id, filters ?? {}) : sql`id = any (${ids}::int[])`} and ${where}`
    const batch = decision === 'restore' ? null : await storeDecision(trx, id, { decision, matches })
    const changed = await update(trx, { set, where: matches, config_id: id })
    if (changed.length === 0) return { changed: 0, batch: null }
    const details = filters === undefined ? { ids: changed } : { filters, count: changed.length }
    const action = `${decision}_overrides`
    await audit(trx, actor, { action, ...taskObject('compiler', task_id), details })
    await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    return { changed: changed.length, batch }
  })

/** Stores what a decision is about to change, and returns its batch. Decisions older than a day are forgotten. */
async function storeDecision(
  trx: Trx,
  config_id: number,
  { decision, matches }: { decision: 'keep' | 'drop'; matches: RawBuilder<unknown> },
): Promise<number> {
  await sql`delete from override_decisions where at < now() - interval '1 day'`.execute(trx)
  const batch = await nextBatch(trx)
  await sql`
    insert into override_decisions (batch, override_id, decision, former, accepted)
    select ${batch}::int, id, ${decision}, accepted, ${decision === 'keep' ? sql`coalesce(observed, accepted)` : sql`accepted`}
    from compiler_overrides o where compiler_config_id = ${config_id} and ${matches}`.execute(trx)
  return batch
}

/**
 * Undoes a change. One that set overrides: its live ones end, and those that they replaced apply again. A decision: overrides have the state
 * again that they had before it. Those that were changed since stay as they are. Throws NamedError `compiler_task_not_found`.
 */
export const undoOverrides = (
  db: Db,
  actor: Actor,
  { id, batch }: { id: number; batch: number },
): Promise<Undone> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const ended = await update(trx, {
      set: dropped(actor, 'undone'),
      where: sql`batch = ${batch} and state <> 'ended'`,
      config_id: id,
    })
    const replaced = await update(trx, {
      set: REVIVED,
      where: sql`end_reason = 'replaced' and ${isFree}
        and id in (select replaces from compiler_overrides where id = any (${ended}::int[]))`,
      config_id: id,
    })
    const decided = await undoDecision(trx, id, batch)
    const restored = replaced.length + decided.length
    const changed_since = await changedSince(trx, { id, batch, undone: decided })
    await sql`
      delete from override_decisions using compiler_overrides o
      where override_decisions.batch = ${batch} and o.id = override_id and o.compiler_config_id = ${id}`.execute(
      trx,
    )
    if (ended.length + restored > 0) {
      const details = { batch, ended: ended.length, restored }
      await audit(trx, actor, { action: 'undo_overrides', ...taskObject('compiler', task_id), details })
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    }
    return { ended: ended.length, restored, changed_since }
  })

/** Gives the overrides of a decision, unless they were changed since, the state again that they had before it. */
async function undoDecision(trx: Trx, config_id: number, batch: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update compiler_overrides o set accepted = d.former,
      state = case when observed <> d.former then 'review' else 'active' end, ended_at = null, end_reason = null, ended_by = null
    from override_decisions d
    where d.batch = ${batch} and o.id = d.override_id and o.compiler_config_id = ${config_id} and case d.decision
      when 'keep' then o.state <> 'ended' and o.accepted is not distinct from d.accepted
      else o.end_reason = 'dropped' and o.ended_at = d.at and ${isFree} end
    returning o.id`.execute(trx)
  return rows.map(({ id }) => id)
}

/** Overrides of a change that its undo left as they were, because they were replaced or decided anew. */
async function changedSince(
  trx: Trx,
  { id, batch, undone }: { id: number; batch: number; undone: readonly number[] },
): Promise<Undone['changed_since']> {
  const { rows } = await sql<{ sku: string; field: string; count: number }>`
    select o.sku, o.field, (count(*) over ())::int as count from compiler_overrides o
    where o.compiler_config_id = ${id} and (
      (o.batch = ${batch} and o.end_reason = 'replaced')
      or o.id in (select override_id from override_decisions d where d.batch = ${batch}) and o.id <> all (${[...undone]}::int[])
    ) order by o.id limit ${limits.overrides_shown}`.execute(trx)
  return { count: rows[0]?.count ?? 0, first: rows.map(({ sku, field }) => ({ sku, field })) }
}

type Update = { set: RawBuilder<unknown>; where: RawBuilder<unknown>; config_id: number }

async function update(trx: Trx, { set, where, config_id }: Update): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update compiler_overrides o set ${set} where compiler_config_id = ${config_id} and ${where} returning id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}
