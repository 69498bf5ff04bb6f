import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, Moment } from '../fields.ts'
import { TaskCategory } from '../tasks/schemas.ts'

/**
 * Reasons of notifications. `failed`: the last run failed. `approval`: rows of an ingest or a run wait for an approval. `missed`: a scheduled
 * start did not take place. `file`: an expected file has not arrived. `late`: the forecast misses the time by which it must be ready. `mention`: notes mention the user.
 */
export const NotificationKind = z.enum(['failed', 'approval', 'missed', 'file', 'late', 'mention'])
export type NotificationKind = z.infer<typeof NotificationKind>

const Key = z.string().check(z.regex(/^(?:alarm|mention) [1-9]\d{0,9}$/))

/** Something that concerns the user: of a task that they own or that is a favourite, or of notes that mention them. */
export const Notification = z.object({
  key: Key,
  kind: NotificationKind,
  /** Task or type. */
  title: z.string(),
  reason: z.string(),
  at: Moment,
  /** When it ended by itself, such as by a successful run; null: not yet, or never. */
  over_at: z.nullable(Moment),
  is_read: z.boolean(),
  /** The task, if it is about one; `config_id` of a compiler configuration. */
  task: z.nullable(z.object({ id: Id, category: TaskCategory, config_id: z.nullable(Id) })),
})
export type Notification = z.infer<typeof Notification>

export const notificationLimits = { shown: 500, days: 30 } as const

/** Which kinds of notifications the user gets by mail, too; `can_mail`: a mail server is configured. */
const MailSettings = z.object({ kinds: z.array(NotificationKind), can_mail: z.boolean() })

/** API calls for the notifications of the signed-in user. */
export const notifications = {
  list: {
    method: 'GET',
    path: '/api/notifications',
    summary: 'What concerns the signed-in user, of the last 30 days, newest first; at most 500',
    reply: z.array(Notification),
  },
  count: {
    method: 'GET',
    path: '/api/notifications/count',
    summary: 'Number of unread notifications of the signed-in user',
    reply: z.object({ unread: z.int() }),
  },
  mailSettings: {
    method: 'GET',
    path: '/api/notifications/mail',
    summary: 'Which kinds of notifications the signed-in user gets by mail, too',
    reply: MailSettings,
  },
  setMail: {
    method: 'PUT',
    path: '/api/notifications/mail',
    summary:
      'Choose the kinds of notifications that the signed-in user gets by mail, too; what came before is not sent',
    body: z.strictObject({
      kinds: z.array(NotificationKind).check(z.maxLength(NotificationKind.options.length)),
    }),
    reply: MailSettings,
  },
  read: {
    method: 'POST',
    path: '/api/notifications/read',
    summary: 'Mark notifications as read: these, or all up to the newest ones that were shown',
    body: z.strictObject({
      keys: z.array(Key).check(z.minLength(1), z.maxLength(notificationLimits.shown)),
      /** Also everything older than the newest of each kind of key. */
      and_older: z._default(z.boolean(), false),
    }),
    reply: z.object({ unread: z.int() }),
  },
} satisfies Calls
