// biome-ignore-all lint/a11y/useSemanticElements: virtualized rows cannot be laid out by a table
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and cells are read-only
import { ActionIcon } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { logMessages } from '../../contract/logs/client-messages.ts'
import { Badge, type Tone } from './badge.tsx'
import { copyText } from './copy-text.ts'
import { LinkedText } from './linked-text.tsx'
import classes from './log-table.module.css'

/** One log entry: level with its tone, message, optional details, time, and the text that its button copies. */
export type LogRow = {
  level: string
  tone: Tone
  message: string
  details?: string | null
  time: ReactNode
  text: string
}

/** A heading of the entries below it. */
export type LogHeading = { heading: ReactNode }

type Props = {
  count: number
  /** The entry or heading at an index from 0; called only near the viewport. */
  rowAt: (index: number) => LogRow | LogHeading | undefined
  keyAt?: (index: number) => string | number
  timeLabel: string
  /** Marked in messages; lower case. */
  search?: string
  /** Index of the entry that is scrolled to, and marked; null: none. */
  current?: number | null
  /** The last entry is rendered. */
  onEnd?: () => void
}

/** A virtualized log with level, message and time. The copy buttons are one Tab stop with up and down arrow keys. */
export function LogTable({
  count,
  rowAt,
  keyAt = (index) => index,
  timeLabel,
  search = '',
  current = null,
  onEnd,
}: Props) {
  const body = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  // Without dependencies: what is above the table can change its height with each render.
  useLayoutEffect(() => setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY))
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => 40,
    getItemKey: keyAt,
    scrollMargin: top,
    // Rounding would overlap the border of the previous line.
    measureElement: (element) => element.getBoundingClientRect().height,
    overscan: 10,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index
  const atEnd = useEffectEvent(() => onEnd?.())
  useEffect(() => {
    if (last !== undefined && last >= count - 1) atEnd()
  }, [last, count])
  const show = useEffectEvent((index: number) => virtual.scrollToIndex(index, { align: 'center' }))
  const current_key = current === null ? null : keyAt(current)
  // biome-ignore lint/correctness/useExhaustiveDependencies: not again when lines arrive above it
  useEffect(() => {
    if (current !== null) show(current)
  }, [current_key])
  // The row that the focus was in last is the Tab stop while it is rendered.
  const [focused, setFocused] = useState<string | number | null>(null)
  const shown = items.flatMap((item) => {
    const row = rowAt(item.index)
    return row ? [{ ...item, row }] : []
  })
  const stop =
    shown.find(({ key }) => key === focused)?.key ?? shown.find(({ row }) => !('heading' in row))?.key ?? null
  return (
    <div className={classes.table} role="table" aria-label="Log" aria-rowcount={count + 1}>
      <div role="rowgroup">
        <div className={classes.head} role="row" aria-rowindex={1}>
          <span role="columnheader">Level</span>
          <span role="columnheader">Message</span>
          <span role="columnheader">{timeLabel}</span>
        </div>
      </div>
      <div
        ref={body}
        role="rowgroup"
        className={classes.body}
        style={{ height: virtual.getTotalSize() }}
        onKeyDown={moveFocus}
      >
        {shown.map(({ index, key, start, row }) => (
          <div
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            role="row"
            aria-rowindex={index + 2}
            className={'heading' in row ? classes.heading : classes.row}
            data-current={index === current || undefined}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {'heading' in row ? (
              <span role="rowheader" aria-colspan={3}>
                {row.heading}
              </span>
            ) : (
              <Entry
                row={row}
                search={search}
                is_stop={key === stop}
                onFocus={() => setFocused(typeof key === 'bigint' ? Number(key) : key)}
              />
            )}
          </div>
        ))}
      </div>
    </div>
  )
}

type EntryProps = { row: LogRow; search: string; is_stop: boolean; onFocus: () => void }

const Entry = ({ row, search, is_stop, onFocus }: EntryProps) => (
  <>
    <span role="cell">
      <Badge tone={row.tone} label={row.level} />
    </span>
    <span role="cell" className={classes.message}>
      <LinkedText text={row.message} search={search} />
      {row.details && (
        <code>
          <LinkedText text={row.details} search={search} />
        </code>
      )}
    </span>
    <span role="cell" className={classes.time}>
      {row.time}
      <ActionIcon
        className={classes.copy}
        variant="subtle"
        color="gray"
        size={26}
        aria-label="Copy line"
        title="Copy line"
        tabIndex={is_stop ? 0 : -1}
        data-copy-line
        onFocus={onFocus}
        onClick={() => copyText(row.text, logMessages.line_copied)}
      >
        <IconCopy size={15} aria-hidden />
      </ActionIcon>
    </span>
  </>
)

/** Moves the focus between the copy buttons of the rendered rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.target instanceof HTMLElement)) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-copy-line]')]
  const next = buttons[buttons.indexOf(event.target) + step]
  if (!next || !buttons.includes(event.target)) return
  event.preventDefault()
  next.focus()
}
