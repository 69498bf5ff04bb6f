import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import type { Tone } from './badge.tsx'
import classes from './bar-strip.module.css'

/** One bar: height from 0 to 1, and accessible label. */
export type Bar = { key: number; height: number; tone: Tone; label: string }

type Props = {
  label: string
  /** Newest first; displayed from right to left. */
  bars: readonly Bar[]
  /** Details shown while a bar is hovered or focused. */
  details: (key: number) => ReactNode
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at, last) => Math.min(at + 1, last),
  ArrowRight: (at) => Math.max(at - 1, 0),
  Home: (_, last) => last,
  End: () => 0,
}

/** A bar chart, oldest bar at the left. A single tab stop; arrow keys move between bars. */
export function BarStrip({ label, bars, details }: Props) {
  const id = useId()
  const strip = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<number | null>(null)
  const [shown, setShown] = useState<{ key: number; at: number } | null>(null)
  const open = shown && bars.some(({ key }) => key === shown.key) ? shown : null
  const place = Math.max(
    bars.findIndex(({ key }) => key === current),
    0,
  )

  const show = (key: number, bar: Element) => {
    const { left, width } = bar.getBoundingClientRect()
    const from = strip.current?.getBoundingClientRect().left ?? 0
    setShown({ key, at: left + width / 2 - from })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setShown(null)
    const next = steps[event.key]?.(place, bars.length - 1)
    const bar = next === undefined ? null : strip.current?.children.item(next)
    if (!(bar instanceof HTMLElement)) return
    event.preventDefault()
    bar.focus()
  }

  return (
    // The details are inside, so that the pointer can move to them.
    <fieldset
      className={classes.wrapper}
      aria-label={label}
      onPointerLeave={() => setShown(null)}
      onBlur={() => setShown(null)}
      onKeyDown={onKeyDown}
    >
      <div ref={strip} className={classes.strip}>
        {bars.map(({ key, height, tone, label: labels }, index) => (
          <button
            key={key}
            type="button"
            className={classes.bar}
            data-tone={tone}
            aria-label={labels}
            aria-describedby={open?.key === key ? id : undefined}
            tabIndex={index === place ? 0 : -1}
            onPointerEnter={(event) => show(key, event.currentTarget)}
            onFocus={(event) => {
              setCurrent(key)
              show(key, event.currentTarget)
            }}
          >
            <span style={{ height: `${Math.round(height * 100)}%` }} />
          </button>
        ))}
      </div>
      {open && (
        <div
          id={id}
          role="tooltip"
          className={classes.details}
          style={{ left: `clamp(0px, ${open.at}px - var(--width) / 2, 100% - var(--width))` }}
        >
          {details(open.key)}
        </div>
      )}
    </fieldset>
  )
}
