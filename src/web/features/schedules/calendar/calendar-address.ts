/** What the screen of schedules shows. */
export const views = ['day', 'week', 'table'] as const
export type View = (typeof views)[number]

/** State of the screen in the URL. `from`: first day; null: from now on. `hour`: start of the chosen hour. */
export type CalendarAddress = {
  view: View
  from: string | null
  hour: string | null
  search: string
  paused: boolean
}

const DAY_MS = 86_400_000

/** Reads the state from the URL; invalid values are ignored. */
export function readAddress(params: URLSearchParams): CalendarAddress {
  const hour = params.get('hour')
  return {
    view: views.find((view) => view === params.get('view')) ?? 'day',
    from: dateOf(params.get('from')),
    hour: hour !== null && Number.isFinite(Date.parse(hour)) ? new Date(hour).toISOString() : null,
    search: params.get('q') ?? '',
    paused: params.get('show') === 'paused',
  }
}

/** URL parameters of the state; the inverse of readAddress. Defaults are left out. */
export function writeAddress({ view, from, hour, search, paused }: CalendarAddress): URLSearchParams {
  const params = new URLSearchParams()
  if (view !== 'day') params.set('view', view)
  if (from) params.set('from', from)
  if (hour) params.set('hour', hour)
  if (search) params.set('q', search)
  if (paused) params.set('show', 'paused')
  return params
}

/** A date of this century that exists; null for anything else. */
export function dateOf(text: string | null): string | null {
  if (text === null || !/^20\d\d-\d\d-\d\d$/.test(text)) return null
  const at = new Date(`${text}T00:00:00Z`)
  return Number.isFinite(at.getTime()) && at.toISOString().startsWith(text) ? text : null
}

/** The date so many days later. */
const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** First day after going `steps` days or weeks on; null for now, before which nothing is shown. */
export function stepFrom(
  { view, from }: Pick<CalendarAddress, 'view' | 'from'>,
  today: string,
  steps: number,
) {
  const date = addDays(from ?? today, steps * (view === 'week' ? 7 : 1))
  return date <= today ? null : date
}
