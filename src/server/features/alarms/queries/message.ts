import { createHmac } from 'node:crypto'
import type { WebhookFormat } from '../../../../contract/alarms/calls.ts'
import { alarmMessages as messages } from '../../../../contract/alarms/client-messages.ts'
import { withoutSecrets } from '../../../platform/secret-text.ts'

/** An alarm event in a message. */
export type Notification = {
  event: 'began' | 'over'
  kind: string
  category: string | null
  task_id: number | null
  title: string
  reason: string
  at: Date
}

/** Formats of messages to a URL. */
type WebFormat = Exclude<WebhookFormat, 'mail'>

type Message = { body: string; headers: { name: string; value: string }[] }
type MessageOptions = { format: WebFormat; signing_key: string | null; publicUrl: string; now: Date }

const LINES = 50

/** Formats one message about alarms. With a key the request is signed: HMAC-SHA256 over timestamp, a dot and the body. */
export function writeMessage(
  notifications: readonly Notification[],
  { format, signing_key, publicUrl, now }: MessageOptions,
): Message {
  const text = textOf(notifications, publicUrl)
  const body = JSON.stringify(bodyOf(format, text, notifications, publicUrl))
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signature =
    signing_key === null
      ? []
      : [
          { name: 'x-rowferry-timestamp', value: timestamp },
          {
            name: 'x-rowferry-signature',
            value: `sha256=${createHmac('sha256', signing_key).update(`${timestamp}.${body}`).digest('hex')}`,
          },
        ]
  return { body, headers: [{ name: 'content-type', value: 'application/json' }, ...signature] }
}

/** Formats one mail about alarms, with a link for each. */
export function writeMail(
  notifications: readonly Notification[],
  publicUrl: string,
): { subject: string; text: string } {
  const began = notifications.filter(({ event }) => event === 'began').length
  const subject =
    notifications.length === 0
      ? messages.subject_test
      : began > 0
        ? messages.subject_began(began)
        : messages.subject_over(notifications.length)
  const pageBelow = (alarm: Notification) => `\n  ${pageOf(alarm, publicUrl)}`
  return { subject, text: `${textOf(notifications, publicUrl, pageBelow)}\n` }
}

function textOf(
  notifications: readonly Notification[],
  publicUrl: string,
  beside: (alarm: Notification) => string = () => '',
): string {
  if (notifications.length === 0) return messages.test_text
  const lines = notifications.slice(0, LINES).map((alarm) => lineOf(alarm) + beside(alarm))
  const more = notifications.length > LINES ? [messages.more(notifications.length - LINES)] : []
  return [...lines, ...more, publicUrl].join('\n')
}

function lineOf({ event, title, reason }: Notification): string {
  if (event === 'over') return `${messages.over}: ${oneLine(title)}`
  const why = reason ? ` (${oneLine(withoutSecrets(reason))})` : ''
  return `${messages.began}: ${oneLine(title)}${why}`
}

function bodyOf(
  format: WebFormat,
  text: string,
  notifications: readonly Notification[],
  publicUrl: string,
): object {
  switch (format) {
    // Escapes names from users, so that they cannot mention channel members or add links.
    case 'slack':
      return {
        text: text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign),
      }
    case 'teams':
      return {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: {
              type: 'AdaptiveCard',
              version: '1.4',
              body: text.split('\n').map((line) => ({ type: 'TextBlock', text: plain(line), wrap: true })),
            },
          },
        ],
      }
    default:
      return {
        text,
        is_test: notifications.length === 0,
        alarms: notifications.map(({ reason, at, ...alarm }) => ({
          ...alarm,
          reason: withoutSecrets(reason),
          at: at.toISOString(),
          url: pageOf(alarm, publicUrl),
        })),
      }
  }
}

function pageOf(
  { category, task_id }: Pick<Notification, 'category' | 'task_id'>,
  publicUrl: string,
): string {
  if (task_id === null) return publicUrl
  if (category === 'compiler') return `${publicUrl}/compiler`
  return `${publicUrl}/${category}_tasks/${task_id}/logs`
}

const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
// Teams cards render Markdown.
const plain = (text: string) => (text.startsWith('http') ? text : text.replace(/[\\[\]()*_~`#<>]/g, '\\$&'))
