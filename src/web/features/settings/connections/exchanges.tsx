// biome-ignore-all lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard

import type { Exchange } from '../../../../contract/connections/calls.ts'
import { connectionMessages } from '../../../../contract/connections/client-messages.ts'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import classes from './test-result.module.css'

type Line = { name: string; value: string }
const textOf = (lines: readonly Line[]) => lines.map(({ name, value }) => `${name}: ${value}`).join('\n')

/** Requests and replies of a test, with masked secrets; `open` expands the last one. */
export function Exchanges({ exchanges, open }: { exchanges: readonly Exchange[]; open: boolean }) {
  if (exchanges.length === 0) return null
  return (
    <>
      <h3>Requests</h3>
      {exchanges.map((exchange, index) => (
        <details
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of the list never changes
          key={index}
          className={classes.exchange}
          open={open && index === exchanges.length - 1}
        >
          <summary>
            <b>{exchange.status ?? connectionMessages.no_reply}</b>
            <span className={classes.url}>
              {exchange.method} {exchange.url}
            </span>
            <span className={classes.size}>
              {formatBytes(exchange.reply_bytes)} · {formatNumber(exchange.duration_ms)} ms
            </span>
          </summary>
          <Block title="Request" text={textOf(exchange.headers)} />
          <Block title="Body" text={exchange.body} />
          <Block title="Reply" text={textOf(exchange.reply_headers)} />
          <Block title="Content" text={exchange.reply} />
        </details>
      ))}
    </>
  )
}

function Block({ title, text }: { title: string; text: string }) {
  if (text === '') return null
  return (
    <>
      <h4>{title}</h4>
      <pre tabIndex={0}>{text}</pre>
    </>
  )
}
