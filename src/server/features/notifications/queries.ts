import { sql } from 'kysely'
import { z } from 'zod'
import {
  type Notification,
  NotificationKind,
  notificationLimits,
} from '../../../contract/notifications/calls.ts'
import { notificationServerMessages as messages } from '../../../contract/notifications/server-messages.ts'
import type { TaskCategory } from '../../../contract/tasks/schemas.ts'
import { type TaskSheets, taskTitle, titleText } from '../../../contract/titles/task-title.ts'
import type { Db } from '../../platform/db.ts'
import { pendingApprovals } from '../../tasks/approvals/pending-approvals.ts'
import { mentionedUsers } from '../../tasks/mentions.ts'
import { taskSheets } from '../../tasks/task-identity.ts'

type Reads = { alarm_id: number; change_id: number; keys: ReadonlySet<string> }

/** What concerns a user, newest first: alarms of their tasks, and changes of notes that mention them. */
export async function readNotifications(db: Db, user_id: number): Promise<Notification[]> {
  const reads = await readMarks(db, user_id)
  // One after the other, since both may use the same transaction.
  const alarms = await readAlarms(db, user_id, reads)
  const mentions = await readMentions(db, user_id, reads)
  return [...alarms, ...mentions]
    .sort((one, other) => other.at.localeCompare(one.at))
    .slice(0, notificationLimits.shown)
}

export const unreadOf = (notifications: readonly Notification[]): number =>
  notifications.filter(({ is_read }) => !is_read).length

async function readMarks(db: Db, user_id: number): Promise<Reads> {
  const row = await db
    .selectFrom('notification_reads')
    .select(['alarm_id', 'change_id', 'keys'])
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return {
    alarm_id: row?.alarm_id ?? 0,
    change_id: Number(row?.change_id ?? 0),
    keys: new Set(row?.keys),
  }
}

type AlarmRow = {
  id: number
  kind: NotificationKind
  title: string
  reason: string
  began_at: Date
  over_at: Date | null
} & TaskRow
type TaskRow = { task_id: number | null; category: TaskCategory | null; config_id: number | null }

// Alarms of tasks that the user owns or watches; of a type, if one of its tasks is among them. What had ended before a task became a
// favourite is not included. Indexes: alarms_task_idx, tasks_owner_idx.
async function readAlarms(db: Db, user_id: number, reads: Reads): Promise<Notification[]> {
  const { rows } = await sql<AlarmRow>`
    with ${pendingApprovals}, mine as materialized (
      select id, task_type_id, '-infinity'::timestamptz as since from tasks where owner_id = ${user_id}
      union all
      select t.id, t.task_type_id, f.created_at from favourites f join tasks t on t.id = f.task_id
      where f.user_id = ${user_id} and t.owner_id is distinct from ${user_id}
    )
    select a.id, case when a.kind in ('failed', 'limit', 'warning') and q.task_id is not null then 'approval'
        when a.kind = 'limit' then 'failed' else a.kind end as kind,
      a.title, a.reason, a.began_at, a.over_at, t.id as task_id, t.category, c.id as config_id
    from alarms a left join tasks t on t.id = a.task_id left join compiler_configs c on c.task_id = t.id
    left join (select distinct task_id from pending) q on q.task_id = a.task_id and a.over_at is null
    where (a.kind in ('failed', 'limit', 'missed', 'file', 'late') or (a.kind = 'warning' and q.task_id is not null))
      and a.began_at > now() - make_interval(days => ${notificationLimits.days})
      and exists (
        select from mine where coalesce(a.over_at, 'infinity') > mine.since
          and (mine.id = a.task_id or (a.task_id is null and mine.task_type_id = a.task_type_id))
      )
    order by a.id desc limit ${notificationLimits.shown}`.execute(db)
  return rows.map(({ id, began_at, over_at, task_id, category, config_id, kind, title, reason }) => ({
    ...{ key: `alarm ${id}`, kind, title, reason },
    at: began_at.toISOString(),
    over_at: over_at?.toISOString() ?? null,
    is_read: id <= reads.alarm_id || reads.keys.has(`alarm ${id}`),
    task: task_id === null || category === null ? null : { id: task_id, category, config_id },
  }))
}

type NotesRow = {
  id: string
  at: Date
  name: string
  sheets: z.infer<typeof TaskSheets>
  before: string | null
  after: string
  author: string | null
} & TaskRow

// Changes of notes after which they mention the user and before which they did not, except the user's own. Index:
// setting_changes_notes_idx.
async function readMentions(db: Db, user_id: number, reads: Reads): Promise<Notification[]> {
  const { rows } = await sql<NotesRow>`
    select h.id, h.at, t.name, ${taskSheets} as sheets, h.before ->> 'notes' as before, h.after ->> 'notes' as after, a.actor as author,
      t.id as task_id, t.category, c.id as config_id
    from setting_changes h join tasks t on t.id = h.task_id left join compiler_configs c on c.task_id = t.id
    left join sync_tasks s on s.task_id = t.id
    left join lateral (
      select user_id, actor from audit_log where xact = h.xact and object_id = t.id::text
        and date_trunc('milliseconds', at) = date_trunc('milliseconds', h.at) limit 1
    ) a on true
    where h.after ? 'notes' and h.after ->> 'notes' like '%@%' and a.user_id is distinct from ${user_id}
      and h.at > now() - make_interval(days => ${notificationLimits.days})
    order by h.id desc limit ${notificationLimits.shown}`.execute(db)
  if (rows.length === 0) return []
  const users = await db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('disabled_at', 'is', null)
    .execute()
  const isMentioned = (notes: string | null) => mentionedUsers(notes ?? '', users).includes(user_id)
  return rows
    .filter(({ before, after }) => isMentioned(after) && !isMentioned(before))
    .map(({ id, at, name, sheets, author, task_id, category, config_id }) => ({
      ...{
        key: `mention ${id}`,
        kind: 'mention' as const,
        title: titleText(taskTitle({ id: task_id, name, sheets })),
      },
      reason: messages.mentioned_by(author),
      at: at.toISOString(),
      over_at: null,
      is_read: Number(id) <= reads.change_id || reads.keys.has(`mention ${id}`),
      task: task_id === null || category === null ? null : { id: task_id, category, config_id },
    }))
}

/** Kinds that the user gets by mail, too. */
export async function readMailKinds(db: Db, user_id: number): Promise<NotificationKind[]> {
  const row = await db
    .selectFrom('notification_mails')
    .select('kinds')
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return z.array(NotificationKind).parse(row?.kinds ?? [])
}
