import { createHmac } from 'node:crypto'
import { alarmMessages as messages } from '../../../../contract/alarm-messages.ts'
import type { WebhookFormat } from '../../../../contract/webhooks.ts'
import { withoutSecrets } from '../../../platform/secret-text.ts'

/** What a message tells of one alarm. */
export type Told = {
  event: 'began' | 'over'
  kind: string
  category: string | null
  task_id: number | null
  title: string
  reason: string
  at: Date
}

type Message = { body: string; headers: { name: string; value: string }[] }
type Way = { format: WebhookFormat; signing_key: string | null; publicUrl: string; now: Date }

const LINES = 50

/** One message about alarms, as its receiver reads it. With a key it is signed: HMAC-SHA256 over time, a dot and the body. */
export function writeMessage(told: readonly Told[], { format, signing_key, publicUrl, now }: Way): Message {
  const text = textOf(told, publicUrl)
  const body = JSON.stringify(bodyOf(format, text, told, publicUrl))
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

function textOf(told: readonly Told[], publicUrl: string): string {
  if (told.length === 0) return messages.test_text
  const lines = told
    .slice(0, LINES)
    .map(
      ({ event, title, reason }) =>
        `${event === 'began' ? messages.began : messages.over}: ${oneLine(title)}${event === 'began' && reason ? ` (${oneLine(withoutSecrets(reason))})` : ''}`,
    )
  const more = told.length > LINES ? [messages.more(told.length - LINES)] : []
  return [...lines, ...more, publicUrl].join('\n')
}

function bodyOf(format: WebhookFormat, text: string, told: readonly Told[], publicUrl: string): object {
  switch (format) {
    // Neither may what others have named call people or lead elsewhere.
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
        is_test: told.length === 0,
        alarms: told.map(({ reason, at, ...alarm }) => ({
          ...alarm,
          reason: withoutSecrets(reason),
          at: at.toISOString(),
          url: pageOf(alarm, publicUrl),
        })),
      }
  }
}

function pageOf({ category, task_id }: Pick<Told, 'category' | 'task_id'>, publicUrl: string): string {
  if (task_id === null) return publicUrl
  if (category === 'compiler') return `${publicUrl}/compiler`
  return `${publicUrl}/${category}_tasks/${task_id}/logs`
}

const oneLine = (text: string) => text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()
// Cards read Markdown.
const plain = (text: string) => (text.startsWith('http') ? text : text.replace(/[\\[\]()*_~`#<>]/g, '\\$&'))
