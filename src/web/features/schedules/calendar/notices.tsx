import { Button } from '@mantine/core'
import { IconAlertTriangle, IconClock, IconFlag } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { CalendarConflict, ClockChange, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import type { ReadyBy } from '../../../../contract/forecast/calls.ts'
import { readyByMessages } from '../../../../contract/forecast/client-messages.ts'
import { MoveButton } from '../../../tasks/ready-by/move-button.tsx'
import { subjectKey } from '../../../tasks/ready-by/ready-by-calls.ts'
import { useShowMore } from '../../../ui/show-more.tsx'
import { hourAt, repeatedConflicts } from './calendar-layout.ts'
import { longDay, shortDay, timeIn } from './dates.ts'
import classes from './notices.module.css'

type Props = {
  calendar: ScheduleCalendar
  deadlines: readonly ReadyBy[]
  /** Address that shows the hour of a conflict. */
  addressOf: (at: string) => string
}

const SHOWN = 3

/** What to know about the shown time: conflicts over the quota, clock changes, and whether the source schedule is stopped. */
export function Notices({ calendar, deadlines, addressOf }: Props) {
  const { clock_changes, entries, hours, time_zone: zone } = calendar
  const conflicts = repeatedConflicts(
    calendar.conflicts,
    (at) => timeIn(at, zone),
    (at) => shortDay(hourAt(hours, at)?.date ?? calendar.today),
  )
  const [all, setAll] = useState(false)
  const shown = all ? conflicts : conflicts.slice(0, SHOWN)
  const is_stopped = entries.some(({ paused_by }) => paused_by === 'source_schedule')
  return (
    <>
      <LateNotice deadlines={deadlines} />
      {conflicts.length > 0 && (
        <section className={classes.notice} data-tone="warning" aria-label={messages.conflicts}>
          <IconAlertTriangle size={18} aria-hidden />
          <div>
            <ul>
              {shown.map(({ conflict, days }) => (
                <li key={conflict.at}>
                  <Link to={addressOf(conflict.at)}>{conflictSentence({ conflict, days }, calendar)}</Link>
                </li>
              ))}
            </ul>
            <p>{messages.conflicts_hint}</p>
            {shown.length < conflicts.length && (
              <Button variant="default" size="compact-xs" onClick={() => setAll(true)}>
                {messages.more_conflicts(conflicts.length - shown.length)}
              </Button>
            )}
          </div>
        </section>
      )}
      {clock_changes.map((change) => (
        <section key={change.at} className={classes.notice} data-tone="info" aria-label="Clock change">
          <IconClock size={18} aria-hidden />
          <p>{clockSentence(change)}</p>
        </section>
      ))}
      {is_stopped && (
        <section className={classes.notice} data-tone="info" aria-label="Source schedule">
          <IconClock size={18} aria-hidden />
          <p>
            {messages.source_schedule_stopped} <Link to="/source-schedule">Open the source schedule</Link>
          </p>
        </section>
      )}
    </>
  )
}

/** Deadlines that the forecast misses, why, and what helps. */
function LateNotice({ deadlines }: Pick<Props, 'deadlines'>) {
  const late = deadlines.filter(({ is_late }) => is_late)
  const [shown, more] = useShowMore(late, SHOWN)
  if (late.length === 0) return null
  return (
    <section className={classes.notice} data-tone="error" aria-label={readyByMessages.late}>
      <IconFlag size={18} aria-hidden />
      <div>
        <ul className={classes.late}>
          {shown.map((entry) => (
            <li key={subjectKey(entry)}>
              <span>
                <b>{readyByMessages.will_be_late(entry.name, entry.ready_by)}</b>. {entry.reason}
              </span>
              {entry.suggestion && <MoveButton entry={entry} />}
            </li>
          ))}
        </ul>
        {more}
      </div>
    </section>
  )
}

function conflictSentence(
  { conflict, days }: { conflict: CalendarConflict; days: string[] },
  { time_zone: zone, hours }: ScheduleCalendar,
): string {
  const { at, last_at, until, runs, quota_seconds } = conflict
  const is_one_day = new Set(hours.map(({ date }) => date)).size === 1
  const times = { from: timeIn(at, zone), to: timeIn(last_at, zone), until: timeIn(until, zone) }
  return messages.conflict(runs, { days: is_one_day ? [] : days, ...times }, quota_seconds)
}

function clockSentence({ date, from, to, skipped_times }: ClockChange): string {
  const day = longDay(date)
  if (to < from) return messages.clock_back(day, from, to)
  const forward = messages.clock_forward(day, from, to)
  return `${forward} ${skipped_times.length > 0 ? messages.clock_skips(skipped_times, to) : messages.clock_skips_none}`
}
