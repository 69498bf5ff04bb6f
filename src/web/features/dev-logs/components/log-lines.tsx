// biome-ignore-all lint/a11y/useSemanticElements: rows that exist only near the window cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read, not operated
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { LogLine } from '../../../../contract/dev-logs.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment } from '../../../lib/time-zone.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import classes from './log-lines.module.css'

const tones: Record<LogLine['level'], Tone> = {
  fatal: 'error',
  error: 'error',
  warn: 'warning',
  info: 'info',
  debug: 'neutral',
  trace: 'neutral',
  text: 'neutral',
}

/** Lines of a log file, which come oldest first and are shown newest first; only those near the window exist. */
export function LogLines({ lines }: { lines: LogLine[] }) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(body.current?.getBoundingClientRect().top ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: lines.length,
    estimateSize: () => 40,
    scrollMargin: top,
    overscan: 10,
  })
  return (
    <div className={classes.table} role="table" aria-label="Log" aria-rowcount={lines.length + 1}>
      <div role="rowgroup">
        <div className={classes.head} role="row" aria-rowindex={1}>
          <span role="columnheader">Level</span>
          <span role="columnheader">Message</span>
          <span role="columnheader">Time</span>
        </div>
      </div>
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[lines.length - 1 - index]
          return (
            line && (
              <div
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                className={classes.row}
                style={{ transform: `translateY(${start - top}px)` }}
              >
                <span role="cell">
                  <Badge tone={tones[line.level]} label={line.level.toUpperCase()} />
                </span>
                <span role="cell" className={classes.message}>
                  {line.message}
                  {line.details && <code>{line.details}</code>}
                </span>
                <span role="cell" className={classes.time}>
                  {line.time !== null && <Time iso={line.time} />}
                </span>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function Time({ iso }: { iso: string }) {
  const zone = useTimeZone()
  const known = !Number.isNaN(Date.parse(iso))
  return (
    <time dateTime={known ? iso : undefined} title={iso}>
      {known ? formatLongMoment(iso, zone) : iso}
    </time>
  )
}
