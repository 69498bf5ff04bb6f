import { sql } from 'kysely'
import { z } from 'zod'
import { type Notification, NotificationKind } from '../../../../contract/notifications/calls.ts'
import { notificationServerMessages as messages } from '../../../../contract/notifications/server-messages.ts'
import type { Db } from '../../../platform/db.ts'
import type { Logger } from '../../../platform/log.ts'
import type { SendMail } from '../../../platform/mail.ts'
import { withoutSecrets } from '../../../platform/secret-text.ts'
import { readNotifications } from '../queries.ts'

type Deps = {
  db: Db
  send: SendMail
  publicUrl: string
  log: Pick<Logger, 'warn' | 'error'>
  /** Seconds during which notifications are collected into one mail. Default: 60. */
  gather_seconds?: number
}

const MAX_ATTEMPTS = 14
const LINES = 50

type Due = {
  user_id: number
  email: string
  kinds: unknown
  alarm_id: number
  change_id: string
  attempts: number
}

/**
 * Mails users the notifications of the kinds that they chose, one mail for all of a minute. Several processes may call it at the
 * same time. A process that dies during a delivery may send a mail twice.
 */
export async function sendNotificationMails(deps: Deps): Promise<void> {
  while (await sendOne(deps));
}

/** Looks after one user. False if none is due. */
async function sendOne({ db, send, publicUrl, log, gather_seconds = 60 }: Deps): Promise<boolean> {
  // Claims the user by moving the due time forward; the delay doubles with each failed attempt, up to an hour.
  const { rows } = await sql<Due>`
    with next as (
      select m.user_id from notification_mails m join users u on u.id = m.user_id
      where m.due_at <= now() and m.kinds <> '{}' and u.disabled_at is null
      order by m.due_at limit 1 for update of m skip locked
    )
    update notification_mails m set attempts = attempts + 1,
      due_at = now() + make_interval(secs => greatest(${gather_seconds}, 60), mins => least(60, power(2, attempts) - 1)::int)
    from next join users u on u.id = next.user_id where m.user_id = next.user_id
    returning m.user_id, u.email, m.kinds, m.alarm_id, m.change_id, m.attempts`.execute(db)
  const [due] = rows
  if (!due) return false
  const kinds = z.array(NotificationKind).parse(due.kinds)
  const before = Date.now() - gather_seconds * 1000
  const found = (await readNotifications(db, due.user_id)).filter(
    // What is well again by now needs no mail.
    ({ key, kind, at, over_at }) =>
      kinds.includes(kind) && over_at === null && isNewer(key, due) && Date.parse(at) <= before,
  )
  if (found.length > 0) {
    const sent = await send({ to: due.email, ...mailOf(found, publicUrl) })
    if (!sent.ok) {
      const about = { user: due.user_id, reason: sent.reason }
      log.warn(about, 'Failed to mail notifications')
      if (!sent.permanent && due.attempts < MAX_ATTEMPTS) return true
      log.error(about, 'Gave up mailing notifications')
    }
  }
  await sql`
    update notification_mails set attempts = 0, alarm_id = greatest(alarm_id, ${newestOf(found, 'alarm')}),
      change_id = greatest(change_id, ${newestOf(found, 'mention')})
    where user_id = ${due.user_id}`.execute(db)
  return true
}

const numberOf = (key: string) => Number(key.split(' ')[1])

const isNewer = (key: string, { alarm_id, change_id }: Due) =>
  numberOf(key) > (key.startsWith('alarm') ? alarm_id : Number(change_id))

const newestOf = (found: readonly Notification[], kind: string) =>
  Math.max(0, ...found.filter(({ key }) => key.startsWith(kind)).map(({ key }) => numberOf(key)))

function mailOf(found: readonly Notification[], publicUrl: string): { subject: string; text: string } {
  const lines = found.slice(0, LINES).map(({ kind, title, reason, task }) => {
    const why = reason ? `\n  ${oneLine(withoutSecrets(reason))}` : ''
    return `- ${oneLine(messages.mail_lines[kind](title))}${why}\n  ${publicUrl}${pathOf(task)}`
  })
  const [first] = found
  return {
    subject: messages.mail_subject(found.length, first ? messages.mail_lines[first.kind](first.title) : ''),
    text: [
      ...lines,
      ...(found.length > LINES ? [messages.mail_more(found.length - LINES)] : []),
      '',
      messages.mail_end,
      '',
    ].join('\n'),
  }
}

function pathOf(task: Notification['task']): string {
  if (task === null) return '/schedule'
  return task.category === 'compiler' ? `/compiler/${task.config_id}` : `/${task.category}_tasks/${task.id}`
}

// Names and errors add no lines.
const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
