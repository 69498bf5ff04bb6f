import { type RawBuilder, sql } from 'kysely'
import type { BodyOf } from '../../../../contract/calls.ts'
import type { compilerOverrides } from '../../../../contract/overrides/calls.ts'
import { type Actor, audit } from '../../../platform/audit.ts'
import { type Db, retriedTransaction, type Trx } from '../../../platform/db.ts'
import { notify } from '../../../platform/notify.ts'
import { taskObject } from '../../../tasks/task-identity.ts'
import { overrideConditions } from '../queries/overrides.ts'
import { lockConfig } from './set-overrides.ts'

type Decision = BodyOf<typeof compilerOverrides.review>

// A cell may have got another override meanwhile.
const isFree = sql`not exists (
  select from compiler_overrides other where other.compiler_config_id = o.compiler_config_id and md5(other.sku) = md5(o.sku)
    and md5(other.field) = md5(o.field) and other.state <> 'ended')`

// The sources may have changed before it ended.
const REVIVED = sql`state = case when observed <> accepted then 'review' else 'active' end, ended_at = null, end_reason = null, ended_by = null`

const dropped = (actor: Actor, reason: 'dropped' | 'undone') =>
  sql`state = 'ended', ended_at = now(), end_reason = ${reason}, ended_by = ${actor.email}`

/** Keeps, drops or restores overrides and returns how many have changed. Throws NamedError `compiler_task_not_found`. */
export const decideOverrides = (
  db: Db,
  actor: Actor,
  { id, ids, filters, decision }: Decision & { id: number },
): Promise<{ changed: number }> =>
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
    const changed = await update(trx, {
      set,
      where: sql`${ids === undefined ? overrideConditions(id, filters ?? {}) : sql`id = any (${ids}::int[])`} and ${where}`,
      config_id: id,
    })
    if (changed.length > 0) {
      const details = filters === undefined ? { ids: changed } : { filters, count: changed.length }
      const action = `${decision}_overrides`
      await audit(trx, actor, { action, ...taskObject('compiler', task_id), details })
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    }
    return { changed: changed.length }
  })

/**
 * Undoes a change: its live overrides end, and those that they replaced apply again. Throws NamedError `compiler_task_not_found`.
 */
export const undoOverrides = (
  db: Db,
  actor: Actor,
  { id, batch }: { id: number; batch: number },
): Promise<{ ended: number; restored: number }> =>
  retriedTransaction(db, async (trx) => {
    const task_id = await lockConfig(trx, id)
    const ended = await update(trx, {
      set: dropped(actor, 'undone'),
      where: sql`batch = ${batch} and state <> 'ended'`,
      config_id: id,
    })
    const restored = await update(trx, {
      set: REVIVED,
      where: sql`end_reason = 'replaced' and ${isFree}
        and id in (select replaces from compiler_overrides where id = any (${ended}::int[]))`,
      config_id: id,
    })
    if (ended.length > 0) {
      const details = { batch, ended: ended.length, restored: restored.length }
      await audit(trx, actor, { action: 'undo_overrides', ...taskObject('compiler', task_id), details })
      await notify(trx, { kind: 'tasks', task_ids: [task_id] })
    }
    return { ended: ended.length, restored: restored.length }
  })

type Update = { set: RawBuilder<unknown>; where: RawBuilder<unknown>; config_id: number }

async function update(trx: Trx, { set, where, config_id }: Update): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update compiler_overrides o set ${set} where compiler_config_id = ${config_id} and ${where} returning id`.execute(
    trx,
  )
  return rows.map(({ id }) => id)
}
