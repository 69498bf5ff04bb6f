import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import type { Db, Trx } from '../../../platform/db.ts'
import { type Condition, conditions, type Quota, titleOf } from '../queries/conditions.ts'
import { fileConditions, folderConditions, type StateOfFile } from '../queries/file-conditions.ts'

type Deps = {
  db: Db
  quota: Quota
  /** When a file of a source task was changed last, or why it cannot be found. */
  stateOfFile: StateOfFile
  /** DATA_DIR; the free space of its disk is monitored. */
  folder: string
  /** Seconds during which alarms are collected into one message. Default: 60. */
  gather_seconds?: number
  /** Raises the disk alarm below this number of free bytes. Default: 5 GB. */
  disk_bytes?: number
}

// Any constant that is not used as another advisory lock in this database.
const ALARM_LOCK = 7_269_341

/** Evaluates all conditions, opens and closes alarms, and enqueues messages for the webhooks. One process at a time does this. */
export async function watch(deps: Deps): Promise<void> {
  const { db, quota, gather_seconds = 60 } = deps
  const local = [
    ...(await diskCondition(deps)),
    ...(await fileConditions(db, deps.stateOfFile)),
    ...(await folderConditions(db)),
  ]
  await db.transaction().execute(async (trx) => {
    const locked = await sql<{
      got: boolean
    }>`select pg_try_advisory_xact_lock(${ALARM_LOCK}) as got`.execute(trx)
    if (!locked.rows[0]?.got) return
    const { rows } = await conditions(quota).execute(trx)
    const current = [...rows.map((row) => ({ ...row, title: titleOf(row) })), ...local]
    await notifyAlarmCleared(trx, await close(trx, current), gather_seconds)
    await open(trx, current)
    await notifyAlarmRaised(trx, gather_seconds)
  })
}

const diskSubject = `disk ${hostname()}`

/** Covers the local disk only. Each machine reports its own. */
async function diskCondition({ folder, disk_bytes = 5e9 }: Deps): Promise<Condition[]> {
  const { bavail, bsize } = await statfs(folder)
  const free = bavail * bsize
  if (free >= disk_bytes) return []
  return [
    {
      kind: 'disk',
      subject: diskSubject,
      category: null,
      task_id: null,
      task_type_id: null,
      title: messages.disk_short(hostname()),
      reason: messages.disk_reason((free / 1e9).toFixed(1)),
    },
  ]
}

async function open(trx: Trx, current: readonly Condition[]): Promise<void> {
  if (current.length === 0) return
  await sql`
    insert into alarms (kind, subject, category, task_id, task_type_id, title, reason)
    select kind, subject, category, task_id, task_type_id, title, reason
    from jsonb_to_recordset(${JSON.stringify(current)}::jsonb)
      as c (kind text, subject text, category text, task_id int, task_type_id int, title text, reason text)
    on conflict (kind, subject) where over_at is null do nothing`.execute(trx)
}

// An alarm stays open while a run of its task is live, because that run may resolve it.
async function close(trx: Trx, current: readonly Condition[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    update alarms a set over_at = now()
    where over_at is null and (subject not like 'disk %' or subject = ${diskSubject})
      and not exists (
        select from jsonb_to_recordset(${JSON.stringify(current)}::jsonb) as c (kind text, subject text)
        where c.kind = a.kind and c.subject = a.subject
      )
      and not exists (select from runs r where r.task_id = a.task_id and r.state in ('queued', 'running', 'stopping')
        and not r.is_preview)
    returning id`.execute(trx)
  return rows.map(({ id }) => id)
}

/**
 * Enqueues each open alarm for every webhook that has not received it, including alarms that were raised before the webhook was
 * added, enabled or extended. A webhook without messages therefore means that nothing is wrong.
 */
async function notifyAlarmRaised(trx: Trx, gather_seconds: number): Promise<void> {
  await sql`
    insert into webhook_messages (webhook_id, alarm_id, event, due_at)
    select w.id, a.id, 'began', now() + make_interval(secs => ${gather_seconds})
    from alarms a join webhooks w on w.is_active and a.kind = any (w.kinds)
      and (a.category is null or w.categories = '{}' or a.category = any (w.categories))
      and (a.task_id is null or w.task_type_ids = '{}' or a.task_type_id = any (w.task_type_ids))
    where a.over_at is null
    on conflict do nothing`.execute(trx)
}

/** Enqueues the end of these alarms for webhooks that received the start and subscribe to the end. */
async function notifyAlarmCleared(trx: Trx, ids: number[], gather_seconds: number): Promise<void> {
  if (ids.length === 0) return
  await sql`
    insert into webhook_messages (webhook_id, alarm_id, event, due_at)
    select w.id, a.id, 'over', now() + make_interval(secs => ${gather_seconds})
    from webhook_messages m join alarms a on a.id = m.alarm_id join webhooks w on w.id = m.webhook_id
    where a.id = any (${ids}::int[]) and m.event = 'began' and w.is_active and w.tells_end and a.kind = any (w.kinds)
      and (a.category is null or w.categories = '{}' or a.category = any (w.categories))
      and (a.task_id is null or w.task_type_ids = '{}' or a.task_type_id = any (w.task_type_ids))
    on conflict do nothing`.execute(trx)
}
