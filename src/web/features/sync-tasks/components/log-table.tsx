// biome-ignore-all lint/a11y/useSemanticElements: cells that come and go with the scrolling cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read, not operated
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { LogLevel } from '../../../../contract/status.ts'
import type { LogEntry } from '../../../../contract/sync-tasks.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import classes from './log-table.module.css'

const tones: Record<LogLevel, Tone> = { INFO: 'info', SUCCESS: 'success', WARNING: 'warning', ERROR: 'error' }

/** Log lines with level, message and time; only those near the window exist. */
export function LogTable({ entries }: { entries: LogEntry[] }) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(body.current?.getBoundingClientRect().top ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: entries.length,
    estimateSize: () => 40,
    getItemKey: (index) => entries[index]?.id ?? index,
    scrollMargin: top,
    // not rounded: a line would hide the border of the one above
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: 10,
  })
  return (
    <div className={classes.table} role="table" aria-label="Log" aria-rowcount={entries.length + 1}>
      <div role="rowgroup">
        <div className={classes.head} role="row" aria-rowindex={1}>
          <span role="columnheader">Level</span>
          <span role="columnheader">Message</span>
          <span role="columnheader">Timestamp</span>
        </div>
      </div>
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index]
          return (
            entry && (
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
                  <Badge tone={tones[entry.level]} label={entry.level} />
                </span>
                <span role="cell" className={classes.message}>
                  {entry.message}
                </span>
                <time role="cell" dateTime={entry.timestamp} title={entry.timestamp}>
                  {entry.formatted_timestamp}
                </time>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
