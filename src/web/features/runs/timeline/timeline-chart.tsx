import { ActionIcon, Button } from '@mantine/core'
import { IconArrowsMaximize, IconChevronRight, IconMinus, IconPlus } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { allRunsMessages as messages } from '../../../../contract/all-runs/client-messages.ts'
import { formatCount } from '../../../lib/format.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { ticksOf } from '../../../lib/zone-time.ts'
import { barLabel } from './bar-labels.ts'
import { BarTip } from './bar-tip.tsx'
import { type Bar, barAt, laneBox, type Place, type Row, stepFrom } from './layout.ts'
import { Legend } from './legend.tsx'
import { QuotaChart } from './quota-chart.tsx'
import { Ranges } from './range-choice.tsx'
import { panned, type RangeName, revealed, type View, zoomed } from './ranges.ts'
import { RowCanvas } from './row-canvas.tsx'
import classes from './timeline.module.css'
import { usePlot } from './use-plot.ts'

const ZOOM = 0.6
const TICK_PX = 64
// Pointers are less exact than bars are narrow.
const SLACK_PX = 5
const NARROW_PX = 640

type Props = {
  name: RangeName
  rows: readonly Row[]
  domain: View
  view: View
  now: number
  /** In place of the rows, if there are none. */
  empty: ReactNode
  onRange: (range: RangeName) => void
  onView: (view: View) => void
  onFold: (key: string) => void
  onFoldAll: (folded: boolean) => void
  onOpen: (run: number) => void
}

const steps: Record<string, Parameters<typeof stepFrom>[2]> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
}

/** Bars of runs on an axis of time: drawn, with one Tab stop from which arrow keys reach each bar. */
export function TimelineChart({
  name,
  rows,
  domain,
  view,
  now,
  empty,
  onRange,
  onView,
  onFold,
  onFoldAll,
  onOpen,
}: Props) {
  const zone = useTimeZone()
  const id = useId()
  const [names_px, setNames] = useState(() => (window.innerWidth < NARROW_PX ? 116 : 208))
  const { ref, width, colours } = usePlot(names_px)
  const scroller = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const drag = useRef<{ x: number; view: View; moved: boolean } | null>(null)
  const [tip, setTip] = useState<{ bar: Bar; x: number; y: number } | null>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rows[index]?.height ?? 0,
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 6,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights
  useEffect(() => virtual.measure(), [rows])
  useEffect(() => {
    const resize = () => setNames(window.innerWidth < NARROW_PX ? 116 : 208)
    window.addEventListener('resize', resize)
    return () => window.removeEventListener('resize', resize)
  }, [])
  const most = Math.max(2, Math.floor(width / TICK_PX))
  const ticks = useMemo(() => ticksOf(view, zone, most), [view, zone, most])
  const span = view.to - view.from
  const x = (moment: number) => ((moment - view.from) / span) * width
  const zoom = (factor: number, anchor = (view.from + view.to) / 2) =>
    onView(zoomed(view, domain, factor, anchor))

  // React listens to wheels passively: the page would scroll or zoom as well.
  const wheel = useRef((_: WheelEvent) => {})
  wheel.current = (event) => {
    const left = scroller.current?.getBoundingClientRect().left ?? 0
    const at = view.from + ((event.clientX - left - names_px) / width) * span
    if (event.ctrlKey || event.metaKey) zoom(event.deltaY > 0 ? 1 / ZOOM : ZOOM, at)
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
      onView(panned(view, domain, (event.deltaX || event.deltaY) / width))
    else return
    event.preventDefault()
  }
  useEffect(() => {
    const element = scroller.current
    const hear = (event: WheelEvent) => wheel.current(event)
    element?.addEventListener('wheel', hear, { passive: false })
    return () => element?.removeEventListener('wheel', hear)
  }, [])

  const activeRow = rows.find(({ key }) => key === place?.row)
  const active = activeRow?.bars.find(({ run }) => run.id === place?.run)
  const moveTo = (next: Place | null) => {
    const index = rows.findIndex(({ key }) => key === next?.row)
    const bar = rows[index]?.bars.find(({ run }) => run.id === next?.run)
    if (!bar) return
    setPlace(next)
    virtual.scrollToIndex(index)
    onView(revealed(view, domain, bar.from))
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const anchor = active ? active.from : undefined
    const step = steps[event.key]
    if (event.shiftKey && (step === 'left' || step === 'right'))
      onView(panned(view, domain, step === 'left' ? -0.25 : 0.25))
    else if (step) moveTo(stepFrom(rows, place, step))
    else if (event.key === '+' || event.key === '=') zoom(ZOOM, anchor)
    else if (event.key === '-') zoom(1 / ZOOM, anchor)
    else if (event.key === 'Escape' || event.key === '0') onView(domain)
    else if ((event.key === 'Enter' || event.key === ' ') && active) onOpen(active.run.id)
    else return
    event.preventDefault()
  }

  const items = virtual.getVirtualItems()
  const barUnder = (event: React.MouseEvent, row: Row): Bar | undefined => {
    const box = event.currentTarget.getBoundingClientRect()
    const moment = view.from + ((event.clientX - box.left) / width) * span
    return barAt(row, moment, event.clientY - box.top, (SLACK_PX / width) * span)
  }
  // Moves the time with the pointer, from a few pixels on; a press that moved opens nothing.
  const dragged = (event: React.PointerEvent): boolean => {
    const from = drag.current
    if (!from || event.buttons === 0) return false
    const by = event.clientX - from.x
    if (!from.moved && Math.abs(by) <= SLACK_PX) return false
    if (!from.moved) event.currentTarget.setPointerCapture(event.pointerId)
    from.moved = true
    setTip(null)
    onView(panned(from.view, domain, -by / width))
    return true
  }
  const activeItem = items.find(({ index }) => rows[index]?.key === place?.row)
  const allFolded = rows.every(({ kind, folded }) => kind === 'type' && folded)
  const isAll = view.from <= domain.from && view.to >= domain.to
  const nowX = now >= view.from && now <= view.to ? x(now) : null

  return (
    <div className={classes.chart} ref={ref}>
      <div className={classes.tools}>
        <Ranges range={name} onRange={onRange} />
        <div className={classes.buttons}>
          {rows.length > 0 && (
            <Button variant="default" size="xs" onClick={() => onFoldAll(!allFolded)}>
              {allFolded ? 'Show all tasks' : 'Types only'}
            </Button>
          )}
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Zoom in"
            title="Zoom in (+)"
            onClick={() => zoom(ZOOM)}
          >
            <IconPlus size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Zoom out"
            title="Zoom out (−)"
            disabled={isAll}
            onClick={() => zoom(1 / ZOOM)}
          >
            <IconMinus size={16} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Show the whole time"
            title="Show the whole time (Esc)"
            disabled={isAll}
            onClick={() => onView(domain)}
          >
            <IconArrowsMaximize size={16} />
          </ActionIcon>
        </div>
      </div>
      <div className={classes.card}>
        <div className={classes.axis} aria-hidden>
          {ticks
            .filter((tick) => nowX === null || !isBelowNow(x(tick) - nowX))
            .map((tick) => (
              <span key={tick} style={{ left: names_px + x(tick) }}>
                <TickLabel moment={tick} span={span} zone={zone} />
              </span>
            ))}
          {nowX !== null && (
            <b className={classes.nowLabel} style={{ left: names_px + Math.min(nowX, width - 20) }}>
              now
            </b>
          )}
        </div>
        {rows.length === 0 && <div className={classes.empty}>{empty}</div>}
        <div ref={scroller} className={classes.scroller} onScroll={() => setTip(null)}>
          <div className={classes.rows} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const row = rows[index]
              return (
                row && (
                  <div
                    key={key}
                    className={classes.row}
                    data-kind={row.kind}
                    style={{
                      transform: `translateY(${start}px)`,
                      height: row.height,
                      gridTemplateColumns: `${names_px}px minmax(0, 1fr)`,
                    }}
                  >
                    <RowName row={row} onFold={onFold} />
                    {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; keys reach the bars by the list below */}
                    {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
                    <div
                      className={classes.plot}
                      data-hot={tip !== null && row.bars.includes(tip.bar)}
                      onPointerDown={(event) => {
                        drag.current = event.button === 0 ? { x: event.clientX, view, moved: false } : null
                      }}
                      onPointerMove={(event) => {
                        if (dragged(event)) return
                        const bar = barUnder(event, row)
                        setTip(bar ? { bar, x: event.clientX, y: event.clientY } : null)
                      }}
                      onPointerLeave={() => setTip(null)}
                      onPointerCancel={() => {
                        drag.current = null
                      }}
                      onClick={(event) => {
                        const moved = drag.current?.moved
                        drag.current = null
                        const bar = moved ? undefined : barUnder(event, row)
                        if (!bar) return
                        setPlace({ row: row.key, run: bar.run.id })
                        onOpen(bar.run.id)
                      }}
                    >
                      {colours && width > 0 && (
                        <RowCanvas row={row} view={view} width={width} colours={colours} ticks={ticks} />
                      )}
                    </div>
                  </div>
                )
              )
            })}
            {nowX !== null && <i className={classes.now} style={{ left: names_px + nowX }} />}
            {rows.length > 0 && (
              <div
                className={classes.cursor}
                role="listbox"
                tabIndex={0}
                aria-label={messages.timeline_label}
                aria-describedby={`${id}-keys`}
                aria-activedescendant={active ? `${id}-bar` : undefined}
                style={{
                  top: activeItem?.start ?? 0,
                  left: names_px,
                  width,
                  height: (activeRow ?? rows[0])?.height,
                }}
                onKeyDown={onKeyDown}
                onFocus={() => place === null && setPlace(stepFrom(rows, null, 'last'))}
              >
                {active && activeRow && (
                  <CursorBar
                    id={`${id}-bar`}
                    bar={active}
                    row={activeRow}
                    x={x}
                    width={width}
                    label={barLabel(active, zone)}
                  />
                )}
              </div>
            )}
          </div>
        </div>
        {colours && width > 0 && (
          <QuotaChart
            names_px={names_px}
            name={name}
            domain={domain}
            view={view}
            width={width}
            colours={colours}
            ticks={ticks}
          />
        )}
      </div>
      <Legend />
      <p id={`${id}-keys`} className={classes.keys}>
        {messages.timeline_keys}
      </p>
      {tip && <BarTip {...tip} />}
    </div>
  )
}

const DAY_MS = 86_400_000

/** Whether the label of a tick at this distance from now, in pixels, would be covered by the label “now”. */
const isBelowNow = (distance_px: number) => distance_px > -70 && distance_px < 20

function TickLabel({ moment, span, zone }: { moment: number; span: number; zone: string }) {
  const [day = '', time = ''] = formatMoment(new Date(moment).toISOString(), zone).split(', ')
  // Midnight shows the day that begins.
  if (time === '00:00' || span > 8 * DAY_MS) return <b className={classes.day}>{day}</b>
  return time
}

function RowName({ row, onFold }: { row: Row; onFold: (key: string) => void }) {
  if (row.kind === 'task')
    return (
      <span className={classes.name} data-kind="task" title={row.label}>
        {row.label}
      </span>
    )
  return (
    <button
      type="button"
      className={classes.name}
      aria-expanded={!row.folded}
      onClick={() => onFold(row.key)}
      title={row.label}
    >
      <IconChevronRight size={15} aria-hidden />
      <span>
        {row.label}
        <small>
          {formatCount(row.bars.length, 'run')}
          {row.tasks > 1 && `, ${formatCount(row.tasks, 'task')}`}
        </small>
      </span>
    </button>
  )
}

type CursorProps = {
  id: string
  bar: Bar
  row: Row
  x: (moment: number) => number
  width: number
  label: string
}

function CursorBar({ id, bar, row, x, width, label }: CursorProps) {
  const { top, height } = laneBox(row, bar.lane)
  const left = Math.min(Math.max(x(bar.from), 0), width)
  const right = Math.min(Math.max(x(bar.to), left), width)
  return (
    <div
      id={id}
      role="option"
      aria-selected
      aria-label={label}
      tabIndex={-1}
      className={classes.cursorBar}
      style={{ left: left - 3, top: top - 3, width: Math.max(right - left, 2) + 6, height: height + 6 }}
    />
  )
}
