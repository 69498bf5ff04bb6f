import type { Exchange } from '../../../contract/connections/calls.ts'
import { limits } from '../../../contract/limits.ts'
import type { Redactor } from './redactor.ts'
import type { Reply } from './reply.ts'
import type { ApiRequest } from './send.ts'

const MASK = '[secret]'

/** A request as it may be displayed; `finish` adds the reply. */
export function beginExchange({ method, url, headers, body }: ApiRequest, redactor: Redactor): Exchange {
  return {
    method,
    url: redactor.text(url.href),
    headers: headers.map(({ name, value, is_secret }) => ({
      name,
      value: is_secret ? MASK : redactor.text(value),
    })),
    body: redactor.text(body ?? ''),
    status: null,
    reply_headers: [],
    reply: '',
    reply_bytes: 0,
    duration_ms: 0,
  }
}

/** Adds status and headers of the reply as they may be displayed. */
export function addReply(exchange: Exchange, { status, headers }: Reply, redactor: Redactor): void {
  exchange.status = status
  exchange.reply_headers = Object.entries(headers).map(([name, value]) => ({
    name,
    value: name === 'set-cookie' ? MASK : redactor.text(value),
  }))
}

/** Adds the beginning of the reply's text as it may be displayed. */
export function addText(exchange: Exchange, text: string, redactor: Redactor): void {
  exchange.reply = redactor.beginning(text, limits.reply_shown_characters)
}
