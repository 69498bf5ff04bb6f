import { sql } from 'kysely'
import { WebhookFormat } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import type { Keys } from '../../../platform/auth/keys.ts'
import { openWebhook } from '../../../platform/auth/webhook-secrets.ts'
import type { Db } from '../../../platform/db.ts'
import type { Logger } from '../../../platform/log.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { type Notification, writeMail, writeMessage } from '../queries/message.ts'

/** Posts a message to a URL whose host is on the allow list. */
export type PostMessage = (message: {
  url: string
  headers: { name: string; value: string }[]
  body: string
}) => Promise<Delivered>

type Delivered = { ok: true } | { ok: false; reason: string }

export type SendDeps = {
  db: Db
  keys: Keys
  postMessage: PostMessage
  /** Undefined if no mail server is configured. */
  sendMail: SendMail | undefined
  publicUrl: string
  log: Pick<Logger, 'info' | 'warn' | 'error'>
}

/** Maximum delivery attempts. The delay between attempts doubles up to one hour, about eight hours in total. */
const MAX_ATTEMPTS = 14
const MAX_ALARMS_PER_MESSAGE = 500

type Row = { id: number; name: string; format: string; sealed: Buffer }

/**
 * Delivers all due webhook messages. Several processes may call it at the same time. A process that dies during delivery may send a
 * message twice.
 */
export async function sendAlarms(deps: SendDeps & { zone: string }): Promise<void> {
  while (await sendOne(deps));
}

/** Delivers all due alarms of one webhook as one message. Returns false if no message is due. */
async function sendOne({ zone, ...deps }: SendDeps & { zone: string }): Promise<boolean> {
  const { db, log } = deps
  // Claims the messages by moving their due time forward, so that another process retries them if this one dies.
  const { rows: taken } = await sql<{
    webhook_id: number
    alarm_id: number
    event: Notification['event']
    attempts: number
  }>`
    with next as materialized (
      select w.id from webhooks w
      where w.is_active and exists (
        select from webhook_messages m where m.webhook_id = w.id and m.due_at <= now()
      ) and not ${isQuiet(zone)}
      order by w.id limit 1 for update skip locked
    ), taken as materialized (
      select m.webhook_id, m.alarm_id, m.event from webhook_messages m join next on next.id = m.webhook_id
      where m.due_at <= now() order by m.alarm_id, m.event limit ${MAX_ALARMS_PER_MESSAGE}
    )
    update webhook_messages m set attempts = attempts + 1,
      due_at = now() + make_interval(mins => least(60, power(2, attempts))::int)
    from taken t where (m.webhook_id, m.alarm_id, m.event) = (t.webhook_id, t.alarm_id, t.event) and m.due_at <= now()
    returning m.webhook_id, m.alarm_id, m.event, m.attempts`.execute(db)
  const [first] = taken
  if (!first) return false
  const about = { webhook: first.webhook_id, alarms: taken.length }
  const sent = await deliver(deps, first.webhook_id, await readNotifications(db, taken))
  if (!sent.ok) log.warn({ ...about, reason: sent.reason }, 'Failed to deliver a webhook message; will retry')
  const done = sent.ok ? taken : taken.filter(({ attempts }) => attempts >= MAX_ATTEMPTS)
  if (done.length === 0) return true
  if (!sent.ok) log.error(about, 'Gave up delivering webhook messages')
  await sql`
    update webhook_messages m set due_at = null
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb) as d (alarm_id int, event text)
    where m.webhook_id = ${first.webhook_id} and m.alarm_id = d.alarm_id and m.event = d.event`.execute(db)
  return true
}

/** Delivers a message now and stores the result. Without notifications the message is a test. */
export async function deliver(
  { db, ...deps }: SendDeps,
  id: number,
  notifications: readonly Notification[],
): Promise<Delivered> {
  const webhook = await db
    .selectFrom('webhooks')
    .select(['id', 'name', 'format', 'sealed'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!webhook) return { ok: true }
  const sent = await post(webhook, deps, notifications)
  await db
    .updateTable('webhooks')
    .set(sent.ok ? { last_sent_at: sql`now()`, last_error: null } : { last_error: sent.reason })
    .where('id', '=', id)
    .execute()
  return sent
}

async function post(
  { id, format, sealed }: Row,
  { keys, postMessage, sendMail, publicUrl }: Omit<SendDeps, 'db'>,
  notifications: readonly Notification[],
): Promise<Delivered> {
  const secrets = openWebhook(keys, id, sealed)
  if (!secrets) return { ok: false, reason: messages.address_unreadable }
  const { url, signing_key } = secrets
  const kind = WebhookFormat.parse(format)
  if (kind === 'mail')
    return (
      sendMail?.({ to: url, ...writeMail(notifications, publicUrl) }) ?? {
        ok: false,
        reason: messages.no_mail,
      }
    )
  const options = { format: kind, signing_key, publicUrl, now: new Date() }
  return postMessage({ url, ...writeMessage(notifications, options) })
}

async function readNotifications(
  db: Db,
  taken: readonly { alarm_id: number; event: string }[],
): Promise<Notification[]> {
  const { rows } = await sql<Notification>`
    select d.event, a.kind, a.category, a.task_id, a.title, a.reason,
      case d.event when 'began' then a.began_at else a.over_at end as at
    from jsonb_to_recordset(${JSON.stringify(taken)}::jsonb) as d (alarm_id int, event text)
    join alarms a on a.id = d.alarm_id order by at, a.id`.execute(db)
  return rows
}

// Quiet hours that span midnight have a start later than their end.
const isQuiet = (zone: string) => sql<boolean>`coalesce((
  with clock as (select to_char(now() at time zone ${zone}, 'HH24:MI') as hm)
  select case when w.quiet_from <= w.quiet_to then hm >= w.quiet_from and hm < w.quiet_to
    else hm >= w.quiet_from or hm < w.quiet_to end from clock
), false)`
