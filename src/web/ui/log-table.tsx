// biome-ignore-all lint/a11y/useSemanticElements: rows that exist only near the window cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read, not operated
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Badge, type Tone } from './badge.tsx'
import { LinkedText } from './linked-text.tsx'
import classes from './log-table.module.css'

/** One line: its level with a tone, its text, what stands small below the text, and its moment. */
export type LogRow = { level: string; tone: Tone; message: string; details?: string | null; time: ReactNode }

type Props = {
  count: number
  /** The row at a place, counted from 0; asked only near the window. */
  rowAt: (index: number) => LogRow | undefined
  keyAt?: (index: number) => string | number
  timeLabel: string
}

/** A log with level, message and time; only the lines near the window exist. */
export function LogTable({ count, rowAt, keyAt = (index) => index, timeLabel }: Props) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(body.current?.getBoundingClientRect().top ?? 0), [])
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => 40,
    getItemKey: keyAt,
    scrollMargin: top,
    // not rounded: a line would hide the border of the one above
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: 10,
  })
  return (
    <div className={classes.table} role="table" aria-label="Log" aria-rowcount={count + 1}>
      <div role="rowgroup">
        <div className={classes.head} role="row" aria-rowindex={1}>
          <span role="columnheader">Level</span>
          <span role="columnheader">Message</span>
          <span role="columnheader">{timeLabel}</span>
        </div>
      </div>
      <div ref={body} role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rowAt(index)
          return (
            row && (
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
                  <Badge tone={row.tone} label={row.level} />
                </span>
                <span role="cell" className={classes.message}>
                  <LinkedText text={row.message} />
                  {row.details && <code>{row.details}</code>}
                </span>
                <span role="cell" className={classes.time}>
                  {row.time}
                </span>
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}
