import * as z from 'zod/mini'
import type { Calls } from '../calls.ts'
import { Id, IdParams, Moment, Name, TimeOfDay } from '../fields.ts'
import { TaskCategory } from '../tasks/schemas.ts'
import { alarmMessages as messages } from './client-messages.ts'

/**
 * Kinds of alarms. Of a task: its last run `failed`, would have exceeded a `limit`, or left a `warning`, it `missed` an occurrence, its rows are `stale`, a `file` that it reads is older than expected. Of a task or type:
 * it will be `late`, by the forecast of the time by which it has to be ready. Of the installation: the `quota` is used up, no `worker` or scheduler is running, a `grant` was revoked, a `disk` is nearly full.
 */
export const AlarmKind = z.enum([
  'failed',
  'limit',
  'warning',
  'missed',
  'stale',
  'file',
  'late',
  'quota',
  'worker',
  'grant',
  'disk',
])
export type AlarmKind = z.infer<typeof AlarmKind>

/** Message format of a webhook. */
export const WebhookFormat = z.enum(['plain', 'slack', 'teams', 'mail'])
export type WebhookFormat = z.infer<typeof WebhookFormat>

const settings = {
  name: Name,
  format: WebhookFormat,
  kinds: z
    .array(AlarmKind)
    .check(z.minLength(1, messages.kind_required), z.maxLength(AlarmKind.options.length)),
  /** Categories of tasks; empty: all. */
  categories: z.array(TaskCategory).check(z.maxLength(3)),
  task_type_ids: z.array(Id).check(z.maxLength(1000)),
  /** Whether a message is also sent when an alarm clears. */
  tells_end: z.boolean(),
  /** Quiet hours in the schedule time zone, in which nothing is sent; both null: none. */
  quiet_from: z.nullable(TimeOfDay),
  quiet_to: z.nullable(TimeOfDay),
  is_active: z.boolean(),
}

/** URL of a webhook, or a mail address. */
const Address = z.string().check(z.trim(), z.minLength(1, messages.address_invalid), z.maxLength(2000))
const MailAddress = z.email().check(z.maxLength(320))

/** Whether messages of this format can be sent to an address. */
export const isAddressOf = (format: WebhookFormat, url: string): boolean =>
  format === 'mail' ? MailAddress.safeParse(url).success : /^https?:\/\/[^\s/]/.test(url)

/** Key that signs messages of the plain format; at least 16 characters. */
const SigningKey = z.string().check(z.minLength(16, messages.key_short), z.maxLength(200))

/** A webhook as administrators see it: neither its whole address nor its key is shown again. */
export const Webhook = z.object({
  ...settings,
  id: Id,
  /** Host of its URL; the whole address for mail. */
  host: z.string(),
  is_signed: z.boolean(),
  last_sent_at: z.nullable(Moment),
  last_error: z.nullable(z.string()),
  updated_at: Moment,
})
export type Webhook = z.infer<typeof Webhook>

export const WebhookCreate = z.strictObject({
  ...settings,
  url: Address,
  signing_key: z.nullable(SigningKey),
})
export type WebhookCreate = z.infer<typeof WebhookCreate>

/** `url` and `signing_key` null: unchanged. */
export const WebhookUpdate = z.strictObject({
  ...settings,
  url: z.nullable(Address),
  signing_key: z.nullable(SigningKey),
  updated_at: Moment,
})
export type WebhookUpdate = z.infer<typeof WebhookUpdate>

/** Calls on webhooks, which send alarms to other services. */
export const webhooks = {
  list: {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Webhooks by name, with the result of their last message',
    access: 'admin',
    reply: z.array(Webhook),
  },
  create: {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Add a webhook, whose host must be allowed, or a mail address',
    access: 'admin',
    body: WebhookCreate,
    status: 201,
    reply: Webhook,
  },
  update: {
    method: 'PUT',
    path: '/api/webhooks/:id',
    summary: 'Change a webhook',
    access: 'admin',
    params: IdParams,
    body: WebhookUpdate,
    reply: Webhook,
  },
  delete: {
    method: 'DELETE',
    path: '/api/webhooks/:id',
    summary: 'Delete a webhook and its unsent messages',
    access: 'admin',
    params: IdParams,
    status: 204,
  },
  test: {
    method: 'POST',
    path: '/api/webhooks/:id/test',
    commits_first: true,
    summary: 'Send a test message now and return the result',
    access: 'admin',
    params: IdParams,
    reply: z.object({ ok: z.boolean(), message: z.string() }),
  },
} satisfies Calls
