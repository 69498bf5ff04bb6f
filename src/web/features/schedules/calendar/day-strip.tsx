import { VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { CalendarHour, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { formatNumber } from '../../../lib/format.ts'
import { conflictHours, quotaPercent, toneOf } from './calendar-layout.ts'
import { hourLabel, shortDay } from './dates.ts'
import classes from './day-strip.module.css'
import { DeadlineMark } from './deadline-mark.tsx'
import { hourSummary } from './hour-summary.ts'
import { share } from './share.ts'
import { useRovingFocus } from './use-roving-focus.ts'

type Props = {
  calendar: ScheduleCalendar
  deadlines: readonly ReadyBy[]
  /** Starts of the hours that a search has found; null: no search. */
  found: ReadonlySet<string> | null
  chosen: CalendarHour | undefined
  onChoose: (hour: CalendarHour) => void
}

/** The hours of a day beside each other, with bars for their runs; a list of hours on a narrow window. */
export function DayStrip({ calendar, deadlines, found, chosen, onChoose }: Props) {
  const { hours, now } = calendar
  const conflicts = conflictHours(calendar)
  const most = Math.max(1, ...hours.map(({ runs }) => runs))
  const last = hours.length - 1
  const { ref, props } = useRovingFocus(
    hours.length,
    Math.max(0, chosen ? hours.indexOf(chosen) : 0),
    (key, place) =>
      ({
        ArrowLeft: Math.max(0, place - 1),
        ArrowUp: Math.max(0, place - 1),
        ArrowRight: Math.min(last, place + 1),
        ArrowDown: Math.min(last, place + 1),
        Home: 0,
        End: last,
      })[key],
  )
  return (
    <fieldset ref={ref} className={classes.strip} aria-label="Hours">
      <p className={classes.legend} aria-hidden>
        {messages.legend}
      </p>
      {hours.map((hour, place) => {
        const tone = toneOf(hour, conflicts)
        const before = hours[place - 1]
        const again = before?.hour === hour.hour && before.date === hour.date
        const is_now = hour.at <= now && place === 0
        return (
          <button
            key={hour.at}
            type="button"
            className={classes.hour}
            data-tone={tone}
            data-faded={found !== null && !found.has(hour.at)}
            data-day={before?.date !== hour.date}
            aria-pressed={hour === chosen}
            {...props(place)}
            onClick={() => onChoose(hour)}
          >
            <VisuallyHidden>{hourSummary(hour, again, tone, deadlines)}</VisuallyHidden>
            {before?.date !== hour.date && (
              <span className={classes.day} aria-hidden>
                {shortDay(hour.date)}
              </span>
            )}
            <span className={classes.count} aria-hidden>
              {(tone === 'conflict' || tone === 'over') && <IconAlertTriangle size={14} />}
              {hour.runs > 0 && formatNumber(hour.runs)}
            </span>
            <span className={classes.track} aria-hidden>
              <span className={classes.bar} style={share(hour.runs, most)} />
            </span>
            <span className={classes.label} aria-hidden>
              {hourLabel(hour.hour)}
              {again && <small>{messages.hour_again}</small>}
              {is_now && <small>{messages.now}</small>}
              <DeadlineMark hour={hour} deadlines={deadlines} />
            </span>
            <span className={classes.quota} aria-hidden>
              {hour.quota_seconds > 0 && `${quotaPercent(hour)} %`}
            </span>
          </button>
        )
      })}
    </fieldset>
  )
}
