import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { CalendarHour, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { formatNumber } from '../../../lib/format.ts'
import { conflictHours, type DayColumn, dayColumns, toneOf } from './calendar-layout.ts'
import { dayOf, hourLabel, longDay, weekdayOf } from './dates.ts'
import { DeadlineMark } from './deadline-mark.tsx'
import { hourSummary } from './hour-summary.ts'
import { share } from './share.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import classes from './week-grid.module.css'

type Props = {
  calendar: ScheduleCalendar
  deadlines: readonly ReadyBy[]
  /** Starts of the hours that a search has found; null: no search. */
  found: ReadonlySet<string> | null
  chosen: CalendarHour | undefined
  onChoose: (hour: CalendarHour) => void
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** Seven days as columns, the hours of the clock as rows. Arrow keys go from hour to hour and from day to day. */
export function WeekGrid({ calendar, deadlines, found, chosen, onChoose }: Props) {
  const { hours } = calendar
  const columns = dayColumns(calendar)
  const conflicts = conflictHours(calendar)
  const most = Math.max(1, ...hours.map(({ runs }) => runs))
  const start = chosen ? hours.indexOf(chosen) : 0
  const { ref, props } = useRovingFocus(hours.length, Math.max(0, start), (key, place) =>
    nextPlace(hours, columns, key, place),
  )
  const cell = (hour: CalendarHour, again: boolean) => {
    const tone = toneOf(hour, conflicts)
    return (
      <button
        key={hour.at}
        type="button"
        className={classes.hour}
        data-tone={tone}
        data-faded={found !== null && !found.has(hour.at)}
        style={share(hour.runs, most)}
        aria-pressed={hour === chosen}
        {...props(hours.indexOf(hour))}
        onClick={() => onChoose(hour)}
      >
        <VisuallyHidden>{hourSummary(hour, again, tone, deadlines)}</VisuallyHidden>
        <span className={classes.load} aria-hidden>
          {(tone === 'conflict' || tone === 'over') && (
            <IconAlertTriangle className={classes.mark} size={13} />
          )}
          {hour.runs > 0 && formatNumber(hour.runs)}
          {again && <small className={classes.again}>{messages.hour_again}</small>}
          <DeadlineMark hour={hour} deadlines={deadlines} />
        </span>
      </button>
    )
  }
  return (
    <div ref={ref} className={classes.frame}>
      <table className={classes.grid} aria-label="Week by hour">
        <thead>
          <tr>
            <th scope="col">
              <VisuallyHidden>Hour</VisuallyHidden>
            </th>
            {columns.map(({ date, runs, clock }) => (
              <th key={date} scope="col" aria-label={longDay(date)}>
                {weekdayOf(date)} <span>{dayOf(date)}</span>
                <small className={clock === 'ordinary' ? undefined : classes.change}>
                  {clock === 'ordinary' ? messages.runs(runs) : messages.clock_change[clock]}
                </small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {HOURS.map((hour) => (
            <tr key={hour}>
              <th scope="row">{hourLabel(hour)}</th>
              {columns.map(({ date, cells, clock }, column) => {
                const parts = cells[hour] ?? []
                const is_missing = parts.length === 0 && clock === 'skips' && !isBefore(columns, column, hour)
                return (
                  <td
                    key={date}
                    data-missing={is_missing}
                    title={is_missing ? messages.hour_missing : undefined}
                  >
                    {is_missing && <VisuallyHidden>{messages.hour_missing}</VisuallyHidden>}
                    {parts.map((part, index) => cell(part, index > 0))}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Whether the range begins after this hour of its first day. */
const isBefore = (columns: readonly DayColumn[], column: number, hour: number) =>
  column === 0 && (columns[0]?.cells.findIndex((parts) => parts.length > 0) ?? 0) > hour

/** Where an arrow key leads: to another hour of the day, or to the same hour of another day. */
function nextPlace(
  hours: readonly CalendarHour[],
  columns: readonly DayColumn[],
  key: string,
  place: number,
): number | undefined {
  const last = hours.length - 1
  const { hour = 0, date = '' } = hours[place] ?? {}
  const beside = (step: number) => {
    const column = columns[columns.findIndex((one) => one.date === date) + step]
    // An hour that this day skips, or that has passed: the nearest later one.
    const target = column?.cells.slice(hour).find((parts) => parts.length > 0)?.[0]
    return target ? hours.indexOf(target) : place
  }
  switch (key) {
    case 'ArrowUp':
      return Math.max(0, place - 1)
    case 'ArrowDown':
      return Math.min(last, place + 1)
    case 'ArrowLeft':
      return beside(-1)
    case 'ArrowRight':
      return beside(1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}
