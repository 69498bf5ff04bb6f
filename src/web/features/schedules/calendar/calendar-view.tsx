import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo } from 'react'
import type { CalendarEntry, CalendarHour, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'
import { formatPart } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { zoneLabelBetween } from '../../../lib/time-zone.ts'
import { readyByQuery } from '../../../tasks/ready-by/ready-by-calls.ts'
import { EmptyState, LoadError, LoadingRows } from '../../../ui/states.tsx'
import { isRefused, SignInForData } from '../components/sign-in-for-data.tsx'
import { type CalendarAddress, stepFrom, writeAddress } from './calendar-address.ts'
import { calendarQuery } from './calendar-calls.ts'
import { hourAt, hoursOfEntries, searchCalendar } from './calendar-layout.ts'
import classes from './calendar-view.module.css'
import { shortDay, timeIn } from './dates.ts'
import { DayStrip } from './day-strip.tsx'
import { EntryTable } from './entry-table.tsx'
import { HourPanel } from './hour-panel.tsx'
import { Notices } from './notices.tsx'
import { Toolbar } from './toolbar.tsx'
import { WeekGrid } from './week-grid.tsx'

const ReadyByList = lazy(async () => ({ default: (await import('./ready-by-list.tsx')).ReadyByList }))
const readyBy = <ReadyByList />

type Props = {
  address: CalendarAddress
  /** Changes parts of the address. */
  onChange: (changed: Partial<CalendarAddress>) => void
}

/** The coming runs of a day or week by hour, and the schedules that start them. */
export function CalendarView({ address, onChange }: Props) {
  const query = useQuery({ ...calendarQuery(address), placeholderData: keepPreviousData })
  const { data, error } = query
  if (isRefused(error)) return <SignInForData />
  if (error && !data)
    return (
      <LoadError
        message={reasonOf(error, scheduleMessages.fetch_scheduled_tasks_failed)}
        onRetry={() => query.refetch()}
      />
    )
  if (!data) return <LoadingRows label="Loading the scheduled tasks" />
  if (data.entries.length === 0)
    return (
      <>
        <EmptyState
          title={scheduleMessages.no_scheduled_tasks}
          hint={scheduleMessages.no_scheduled_tasks_hint}
        />
        <Suspense>{readyBy}</Suspense>
      </>
    )
  return <Calendar calendar={data} isLoading={query.isPlaceholderData} {...{ address, onChange }} />
}

type CalendarProps = Props & { calendar: ScheduleCalendar; isLoading: boolean }

function Calendar({ calendar, isLoading, address, onChange }: CalendarProps) {
  const { time_zone: zone, entries } = calendar
  const { view, search, paused } = address
  const matching = useMemo(
    () => searchCalendar(calendar, search, (at) => timeIn(at, zone)),
    [calendar, search, zone],
  )
  const found = useMemo(
    () => (search.trim() === '' ? null : hoursOfEntries(calendar, matching)),
    [calendar, matching, search],
  )
  const chosen = address.hour === null ? undefined : hourAt(calendar.hours, address.hour)
  const choose = (hour: CalendarHour) => onChange({ hour: hour.at === chosen?.at ? null : hour.at })
  const listed = paused ? matching.filter(isPaused) : matching
  const step = (steps: number) => onChange({ from: stepFrom(address, calendar.today, steps), hour: null })
  const deadlines = useQuery(readyByQuery).data ?? []
  const Hours = view === 'week' ? WeekGrid : DayStrip
  return (
    <>
      <Toolbar
        address={address}
        calendar={calendar}
        range={rangeLabel(calendar, address)}
        pausedCount={entries.filter(isPaused).length}
        onStep={step}
        onChange={onChange}
      />
      <Notices
        calendar={calendar}
        deadlines={deadlines}
        addressOf={(at) => `?${writeAddress({ ...address, hour: at })}`}
      />
      <div className={classes.hours} data-view={view} aria-busy={isLoading}>
        <Hours {...{ calendar, deadlines, found, chosen }} onChoose={choose} />
        <HourPanel
          calendar={calendar}
          shown={matching}
          hour={chosen}
          deadlines={deadlines}
          onChoose={choose}
          onClose={() => onChange({ hour: null })}
        />
      </div>
      <Suspense>{readyBy}</Suspense>
      <h2 className={classes.count}>{formatPart(listed.length, entries.length, 'entry', 'entries')}</h2>
      {listed.length > 0 ? (
        <EntryTable calendar={calendar} entries={listed} />
      ) : (
        <EmptyState title={messages.nothing_matches} />
      )}
    </>
  )
}

const isPaused = ({ paused_by }: CalendarEntry) => paused_by !== null

/** The shown time: "Fri, Nov 27, 2026 · 412 runs". */
function rangeLabel(
  { hours, from, to, time_zone: zone, today }: ScheduleCalendar,
  { view }: CalendarAddress,
): string {
  const [first, last] = [hours[0]?.date ?? today, hours.at(-1)?.date ?? today]
  const days = first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`
  const times =
    view === 'day' && first !== last
      ? `${shortDay(first)}, ${timeIn(from, zone)} – ${shortDay(last)}, ${timeIn(to, zone)}`
      : days
  const year = first.slice(0, 4) === today.slice(0, 4) ? '' : `, ${first.slice(0, 4)}`
  return `${times}${year} ${zoneLabelBetween(from, hours.at(-1)?.at ?? from, zone)}`
}
