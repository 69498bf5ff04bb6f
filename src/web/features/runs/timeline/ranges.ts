import { midnight } from '../../../lib/zone-time.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const EVENING_MS = 4 * HOUR_MS
const MORNING_MS = 8 * HOUR_MS

export const rangeChoices = [
  { value: 'night', label: 'Last night' },
  { value: 'today', label: 'Today' },
  { value: 'day', label: '24 hours' },
  { value: 'week', label: '7 days' },
] as const
export type RangeName = (typeof rangeChoices)[number]['value']

/** A range of time on the axis, in milliseconds since 1970. */
export type View = { from: number; to: number }

/** The range that an address names; by default the last 24 hours, which have last night and now. */
export const rangeIn = (params: URLSearchParams): RangeName =>
  rangeChoices.find(({ value }) => value === params.get('range'))?.value ?? 'day'

/** Last night is from 20:00 to 08:00; while it is not 08:00 yet, the night that is not over. */
export function rangeAt(name: RangeName, now: number, zone: string): View {
  // Some room after now, so that its marker and what just began can be seen.
  const ends = (from: number) => now + (now - from) * 0.02
  switch (name) {
    case 'night': {
      const today = midnight(now, zone)
      return { from: today - EVENING_MS, to: today + MORNING_MS }
    }
    case 'today': {
      const from = midnight(now, zone)
      return { from, to: Math.max(ends(from), from + HOUR_MS) }
    }
    case 'day':
      return { from: now - DAY_MS, to: ends(now - DAY_MS) }
    case 'week':
      return { from: now - 7 * DAY_MS, to: ends(now - 7 * DAY_MS) }
  }
}

const LEAST_SPAN_MS = 60_000

/** The view `factor` times as wide, with the moment `anchor` at its place; never beyond the domain. */
export function zoomed(view: View, domain: View, factor: number, anchor: number): View {
  const span = Math.min(Math.max((view.to - view.from) * factor, LEAST_SPAN_MS), domain.to - domain.from)
  const share = (anchor - view.from) / (view.to - view.from)
  return within({ from: anchor - share * span, to: anchor + (1 - share) * span }, domain)
}

/** The view moved by a share of its width. */
export function panned(view: View, domain: View, share: number): View {
  const by = (view.to - view.from) * share
  return within({ from: view.from + by, to: view.to + by }, domain)
}

/** The view moved as little as needed to show a moment, with some room around it. */
export function revealed(view: View, domain: View, moment: number): View {
  const room = (view.to - view.from) * 0.05
  if (moment < view.from + room)
    return within({ from: moment - room, to: moment - room + view.to - view.from }, domain)
  if (moment > view.to - room)
    return within({ from: moment + room - view.to + view.from, to: moment + room }, domain)
  return view
}

function within({ from, to }: View, domain: View): View {
  const span = to - from
  if (span >= domain.to - domain.from) return domain
  if (from < domain.from) return { from: domain.from, to: domain.from + span }
  if (to > domain.to) return { from: domain.to - span, to: domain.to }
  return { from, to }
}
