import { sql } from 'kysely'
import type { BodyOf } from '../../../../contract/calls.ts'
import {
  type NotificationKind,
  notificationLimits,
  type notifications,
} from '../../../../contract/notifications/calls.ts'
import type { Db } from '../../../platform/db.ts'

/**
 * Marks notifications of a user as read; with `and_older`, also everything up to the newest of them. Marks only move forward, so
 * repeated and late requests change nothing.
 */
export async function markRead(
  db: Db,
  user_id: number,
  { keys, and_older }: BodyOf<typeof notifications.read>,
): Promise<void> {
  const newest = (kind: string) =>
    and_older
      ? Math.max(
          0,
          ...keys.filter((key) => key.startsWith(kind)).map((key) => Number(key.slice(kind.length + 1))),
        )
      : 0
  const single = and_older ? [] : keys
  await db.transaction().execute((trx) =>
    sql`
      insert into notification_reads as r (user_id, alarm_id, change_id, keys)
      values (${user_id}, ${newest('alarm')}, ${newest('mention')}, ${single}::text[])
      on conflict (user_id) do update set
        alarm_id = greatest(r.alarm_id, excluded.alarm_id), change_id = greatest(r.change_id, excluded.change_id),
        -- Those that the marks do not cover, the newest 500.
        keys = array(
          select distinct key from unnest(r.keys || excluded.keys) as key
          where split_part(key, ' ', 2)::bigint > case split_part(key, ' ', 1)
            when 'alarm' then greatest(r.alarm_id, excluded.alarm_id)
            else greatest(r.change_id, excluded.change_id) end
          order by key desc limit ${notificationLimits.shown}
        ),
        updated_at = now()`.execute(trx),
  )
}

/** Chooses the kinds that a user gets by mail from now on. */
export async function setMailKinds(
  db: Db,
  user_id: number,
  kinds: readonly NotificationKind[],
): Promise<void> {
  await db.transaction().execute((trx) =>
    sql`
      insert into notification_mails as m (user_id, kinds, alarm_id, change_id)
      select ${user_id}, ${[...new Set(kinds)]}::text[], newest.alarm_id, newest.change_id from (
        select coalesce((select max(id) from alarms), 0) as alarm_id,
          coalesce((select max(id) from setting_changes), 0) as change_id
      ) as newest
      on conflict (user_id) do update set kinds = excluded.kinds, alarm_id = excluded.alarm_id,
        change_id = excluded.change_id, due_at = now(), attempts = 0, updated_at = now()`.execute(trx),
  )
}
