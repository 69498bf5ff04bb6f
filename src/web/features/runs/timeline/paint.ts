import type { RunState } from '../../../../contract/runs/status.ts'
import { laneBox, type Row } from './layout.ts'
import type { View } from './ranges.ts'
import type { SegmentKind } from './segments.ts'

export type Colours = Record<
  | 'card'
  | 'line'
  | 'muted'
  | 'success-dot'
  | 'error-dot'
  | 'warning-dot'
  | 'running-dot'
  | 'neutral-dot'
  | 'purple-dot',
  string
>

/** The colours of the current scheme, in a form that a canvas takes. */
export function readColours(element: Element): Colours {
  const style = getComputedStyle(element)
  const of = (name: keyof Colours) => style.getPropertyValue(`--${name}`).trim()
  return {
    card: of('card'),
    line: of('line'),
    muted: of('muted'),
    'success-dot': of('success-dot'),
    'error-dot': of('error-dot'),
    'warning-dot': of('warning-dot'),
    'running-dot': of('running-dot'),
    'neutral-dot': of('neutral-dot'),
    'purple-dot': of('purple-dot'),
  }
}

const outcome: Record<RunState, keyof Colours> = {
  queued: 'neutral-dot',
  running: 'running-dot',
  stopping: 'running-dot',
  success: 'success-dot',
  warning: 'warning-dot',
  failed: 'error-dot',
  error: 'error-dot',
  stopped: 'neutral-dot',
}

/** Colour and strength of a part of a run: work has the colour of the outcome, waits are lighter. */
function fillOf(kind: SegmentKind, state: RunState): { colour: keyof Colours; alpha: number } {
  switch (kind) {
    case 'work':
      return { colour: outcome[state], alpha: 1 }
    case 'prerequisites':
      return { colour: 'purple-dot', alpha: 0.38 }
    case 'quota':
      return { colour: 'running-dot', alpha: 0.38 }
    default:
      return { colour: 'neutral-dot', alpha: 0.34 }
  }
}

// A run that took an instant can still be seen and pressed.
const LEAST_PX = 2
const OUTLINE_PX = 1.5

/** Draws the runs of a row that are in the view. */
export function paintRow(
  canvas: HTMLCanvasElement,
  row: Row,
  { view, width, colours, ticks }: { view: View; width: number; colours: Colours; ticks: readonly number[] },
): void {
  const context = sized(canvas, width, row.height)
  if (!context) return
  const x = (moment: number) => ((moment - view.from) / (view.to - view.from)) * width
  context.fillStyle = colours.line
  for (const tick of ticks) context.fillRect(Math.round(x(tick)), 0, 1, row.height)
  const shown = row.bars.filter(({ from, to }) => to >= view.from && from <= view.to)
  // Work is drawn over waits: where more runs overlap than there are lanes, no wait of one hides the work of another.
  for (const is_work of [false, true])
    for (const { run, lane, segments } of shown) {
      const { top, height } = laneBox(row, lane)
      for (const { kind, from, to } of segments) {
        if ((kind === 'work') !== is_work || to < view.from || from > view.to) continue
        const left = Math.max(x(from), -4)
        const wide = Math.min(x(to), width + 4) - left
        const { colour, alpha } = fillOf(kind, run.state)
        context.globalAlpha = alpha
        context.fillStyle = colours[colour]
        // Waits are also thinner, so that they differ by more than their strength.
        const inset = is_work ? 0 : height * 0.22
        context.beginPath()
        context.roundRect(
          left,
          top + inset,
          Math.max(wide, is_work ? LEAST_PX : 0.5),
          height - 2 * inset,
          wide > 5 ? 2 : 0,
        )
        context.fill()
        if (is_work && run.is_preview) hollow(context, { left, top, wide, height, colour: colours.card })
      }
    }
  context.globalAlpha = 1
  for (const { run, to, lane, segments } of shown) {
    const { top, height } = laneBox(row, lane)
    // A run that ended before it worked has only its end in the colour of its outcome.
    if (run.finished_at !== null && !segments.some(({ kind }) => kind === 'work')) {
      context.fillStyle = colours[outcome[run.state]]
      context.fillRect(x(to) - 1, top, LEAST_PX, height)
    }
    // Failures are marked by shape, too.
    if (run.state === 'failed' || run.state === 'error') {
      context.fillStyle = colours['error-dot']
      context.beginPath()
      const at = Math.min(Math.max(x(to), 3), width - 3)
      context.moveTo(at - 4, top - 2)
      context.lineTo(at + 4, top - 2)
      context.lineTo(at, top + 4)
      context.fill()
    }
  }
}

/** Leaves only the outline of a bar: a preview writes nothing. */
function hollow(
  context: CanvasRenderingContext2D,
  {
    left,
    top,
    wide,
    height,
    colour,
  }: { left: number; top: number; wide: number; height: number; colour: string },
): void {
  if (wide <= 2 * OUTLINE_PX) return
  context.fillStyle = colour
  context.fillRect(left + OUTLINE_PX, top + OUTLINE_PX, wide - 2 * OUTLINE_PX, height - 2 * OUTLINE_PX)
}

type Bucket = { at: number; reads: number; writes: number }

/** Draws the quota used: reads upwards and writes downwards from the middle, both against the limit at the edge. */
export function paintQuota(
  canvas: HTMLCanvasElement,
  buckets: readonly Bucket[],
  {
    view,
    width,
    height,
    colours,
    bucket_ms,
    limit,
    ticks,
  }: {
    view: View
    width: number
    height: number
    colours: Colours
    bucket_ms: number
    limit: number
    ticks: readonly number[]
  },
): void {
  const context = sized(canvas, width, height)
  if (!context) return
  const x = (moment: number) => ((moment - view.from) / (view.to - view.from)) * width
  const middle = Math.round(height / 2)
  const most = middle - 6
  const tall = (count: number) => (count === 0 ? 0 : Math.max(1, Math.min(1, count / limit) * most))
  context.fillStyle = colours.line
  for (const tick of ticks) context.fillRect(Math.round(x(tick)), 0, 1, height)
  context.fillRect(0, middle, width, 1)
  context.strokeStyle = colours.muted
  context.globalAlpha = 0.6
  context.setLineDash([4, 4])
  for (const y of [middle - most, middle + most + 1]) {
    context.beginPath()
    context.moveTo(0, y + 0.5)
    context.lineTo(width, y + 0.5)
    context.stroke()
  }
  context.setLineDash([])
  context.globalAlpha = 1
  for (const { at, reads, writes } of buckets) {
    if (at + bucket_ms < view.from || at > view.to) continue
    const left = x(at)
    const wide = Math.max(1, x(at + bucket_ms) - left - 0.5)
    context.fillStyle = colours['running-dot']
    context.fillRect(left, middle - tall(reads), wide, tall(reads))
    context.fillStyle = colours['purple-dot']
    context.fillRect(left, middle + 1, wide, tall(writes))
  }
}

function sized(canvas: HTMLCanvasElement, width: number, height: number): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1
  canvas.width = Math.max(1, Math.round(width * ratio))
  canvas.height = Math.max(1, Math.round(height * ratio))
  const context = canvas.getContext('2d')
  context?.setTransform(ratio, 0, 0, ratio, 0, 0)
  return context
}
