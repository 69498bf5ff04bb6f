import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { LoadError } from '../../../ui/states.tsx'
import { quotaQuery } from '../api.ts'
import { type Colours, paintQuota } from './paint.ts'
import type { View } from './ranges.ts'
import classes from './timeline.module.css'

const HEIGHT = 92
const MINUTE_MS = 60_000
const WIDE_MINUTES = 10
const WIDE_MS = 2 * 86_400_000

type Props = {
  /** Width of the row names; the chart starts to the right of them. */
  names_px: number
  name: string
  domain: View
  view: View
  width: number
  colours: Colours
  ticks: readonly number[]
}

/** Requests per minute under Google's quota, on the same axis as the runs. */
export function QuotaChart({ names_px, name, domain, view, width, colours, ticks }: Props) {
  const zone = useTimeZone()
  const minutes = domain.to - domain.from > WIDE_MS ? WIDE_MINUTES : 1
  const query = useQuery(quotaQuery({ key: name, ...domain }, minutes))
  const canvas = useRef<HTMLCanvasElement>(null)
  const [at, setAt] = useState<number | null>(null)
  const buckets = useMemo(
    () => query.data?.buckets.map((bucket) => ({ ...bucket, at: Date.parse(bucket.at) })) ?? [],
    [query.data],
  )
  const limit = query.data?.limit.project ?? 1
  const bucket_ms = minutes * MINUTE_MS
  useLayoutEffect(() => {
    if (canvas.current)
      paintQuota(canvas.current, buckets, { view, width, height: HEIGHT, colours, bucket_ms, limit, ticks })
  }, [buckets, view, width, colours, bucket_ms, limit, ticks])
  if (!query.data && query.isError)
    return <LoadError message={messages.fetch_quota_failed} onRetry={() => query.refetch()} />
  const seen = buckets.filter((bucket) => bucket.at + bucket_ms > view.from && bucket.at < view.to)
  const most = (kind: 'reads' | 'writes') => Math.max(0, ...seen.map((bucket) => bucket[kind]))
  const summary = [messages.quota_reads(most('reads'), limit), messages.quota_writes(most('writes'), limit)]
  const here = at === null ? undefined : seen.find((bucket) => bucket.at <= at && at < bucket.at + bucket_ms)
  const moment = here && formatMoment(new Date(here.at).toISOString(), zone)
  return (
    <section className={classes.quota} aria-labelledby="quota-used">
      <div className={classes.quotaHead}>
        <h2 id="quota-used">{messages.quota_title}</h2>
        <p data-kind="reads">{here ? `${moment}: ${here.reads} reads` : summary[0]}</p>
        <p data-kind="writes">{here ? `${here.writes} writes` : summary[1]}</p>
      </div>
      <canvas
        ref={canvas}
        role="img"
        aria-label={seen.length > 0 ? summary.join('. ') : messages.quota_none}
        className={classes.quotaCanvas}
        style={{ width, height: HEIGHT, marginLeft: names_px }}
        onPointerMove={({ nativeEvent: { offsetX } }) =>
          setAt(view.from + (offsetX / width) * (view.to - view.from))
        }
        onPointerLeave={() => setAt(null)}
      />
      {query.data && query.data.accounts.length > 0 && (
        <ul className={classes.accounts} aria-label="By account">
          {query.data.accounts.map(({ account, requests, busiest }) => (
            <li key={account}>
              <b>{account}</b> {messages.quota_account(requests, busiest, query.data.limit.account)}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
