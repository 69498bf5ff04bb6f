import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { CalendarEntry, CalendarHour, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { readyByMessages } from '../../../../contract/forecast/client-messages.ts'
import { ReadyBadge } from '../../../tasks/ready-by/forecast-line.tsx'
import { subjectKey } from '../../../tasks/ready-by/ready-by-calls.ts'
import { useShowMore } from '../../../ui/show-more.tsx'
import { TitledTask } from '../../../ui/titled-task.tsx'
import { busiestHours, entriesInHour, totalOf } from './calendar-layout.ts'
import { hourLabel, longDay, shortDay, timeIn } from './dates.ts'
import { deadlinesInHour, isNextIn } from './deadlines.ts'
import { entryKey, entryPath, entryTitle } from './entry-labels.ts'
import classes from './hour-panel.module.css'
import { loadParts } from './hour-summary.ts'

type Props = {
  calendar: ScheduleCalendar
  /** The entries that a search has left. */
  shown: readonly CalendarEntry[]
  hour: CalendarHour | undefined
  deadlines: readonly ReadyBy[]
  onChoose: (hour: CalendarHour) => void
  onClose: () => void
}

const STEP = 20
const BUSIEST = 3

/** What runs in the chosen hour: its load in words, and each entry with its times. Without one, the totals of the shown time. */
export function HourPanel({ calendar, shown, hour, deadlines, onChoose, onClose }: Props) {
  const panel = useRef<HTMLElement>(null)
  const at = hour?.at
  const shownAt = useRef(at)
  useEffect(() => {
    // Not where the page opens with an hour.
    if (at && at !== shownAt.current) panel.current?.scrollIntoView({ block: 'nearest' })
    shownAt.current = at
  }, [at])
  if (!hour) return <Summary calendar={calendar} onChoose={onChoose} />
  const due = deadlinesInHour(hour, deadlines)
  const label = `${longDay(hour.date)}, ${hourLabel(hour.hour)}`
  return (
    <section ref={panel} className={classes.panel} aria-label={label}>
      <header>
        <h2>{label}</h2>
        <ActionIcon variant="subtle" aria-label="Close the hour" onClick={onClose}>
          <IconX size={18} />
        </ActionIcon>
      </header>
      <p className={classes.load}>{loadParts(hour).join(' · ')}</p>
      {due.length > 0 && (
        <ul className={classes.entries} aria-label={readyByMessages.title}>
          {due.map((entry) => (
            <li key={subjectKey(entry)}>
              <span className={classes.times}>{entry.ready_by}</span>
              <span className={classes.name}>
                {readyByMessages.title}: {entry.name}
              </span>
              {isNextIn(hour, entry) && <ReadyBadge entry={entry} />}
            </li>
          ))}
        </ul>
      )}
      <Entries key={hour.at} calendar={{ ...calendar, entries: [...shown] }} hour={hour} />
    </section>
  )
}

function Summary({ calendar, onChoose }: Pick<Props, 'calendar' | 'onChoose'>) {
  const { hours, unmeasured_tasks } = calendar
  const { runs, run_seconds, reads, writes } = totalOf(hours)
  const busiest = busiestHours(hours, BUSIEST)
  const is_predicted = run_seconds + reads + writes > 0
  return (
    <section className={classes.panel} aria-label={messages.total}>
      <h2>{runs > 0 ? messages.runs(runs) : messages.nothing_in_range}</h2>
      {runs > 0 && (
        <>
          {is_predicted && (
            <p className={classes.load}>
              {messages.work(run_seconds)} · {messages.requests(reads, writes)}
            </p>
          )}
          <h3>{messages.busiest}</h3>
          <ul className={classes.busiest}>
            {busiest.map((hour) => (
              <li key={hour.at}>
                <Button variant="default" size="xs" onClick={() => onChoose(hour)}>
                  {shortDay(hour.date)}, {hourLabel(hour.hour)} · {messages.runs(hour.runs)}
                </Button>
              </li>
            ))}
          </ul>
          <p className={classes.hint}>{messages.choose_hour}</p>
        </>
      )}
      {unmeasured_tasks > 0 && (
        <p className={classes.hint}>
          {is_predicted ? messages.unmeasured(unmeasured_tasks) : messages.nothing_measured}
        </p>
      )}
    </section>
  )
}

function Entries({ calendar, hour }: { calendar: ScheduleCalendar; hour: CalendarHour }) {
  const found = entriesInHour(calendar, hour)
  const [rows, more] = useShowMore(found, STEP)
  if (found.length === 0)
    return (
      <p className={classes.hint}>{hour.runs > 0 ? messages.nothing_matches : messages.nothing_in_hour}</p>
    )
  return (
    <>
      <ul className={classes.entries}>
        {rows.map(({ entry, starts }) => (
          <li key={entryKey(entry)}>
            <span className={classes.times}>
              {messages.due(starts.map((at) => timeIn(at, calendar.time_zone)))}
            </span>
            <span className={classes.name}>
              <Link to={entryPath(entry)}>
                <TitledTask {...entryTitle(entry)} />
              </Link>
              {entry.type_name && <small> {entry.type_name}</small>}
            </span>
            <small className={classes.size}>
              {messages.each_time(entry.tasks, entry.run_seconds, entry.requests)}
            </small>
          </li>
        ))}
      </ul>
      {more}
    </>
  )
}
