import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { CalendarEntry, ScheduleCalendar } from '../../../../contract/calendar/calls.ts'
import { calendarMessages as messages } from '../../../../contract/calendar/client-messages.ts'
import { schedules } from '../../../../contract/schedules/calls.ts'
import { titleText } from '../../../../contract/titles/task-title.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { formatInZone, zoneLabel } from '../../../lib/time-zone.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { TitledTask } from '../../../ui/titled-task.tsx'
import { toast } from '../../../ui/toast.ts'
import { pauseEntry } from './calendar-calls.ts'
import { entryKey, entryPath, entryTitle } from './entry-labels.ts'
import classes from './entry-table.module.css'

type Props = { calendar: ScheduleCalendar; entries: readonly CalendarEntry[] }

/** The schedules with their next runs; each leads to its task or type and can be paused. */
export function EntryTable({ calendar: { time_zone: zone, times }, entries }: Props) {
  return (
    <CardTable
      label="Entries"
      keyOf={entryKey}
      rows={entries}
      columns={[
        {
          label: 'Name',
          cell: (entry) => (
            <span className={classes.name}>
              <Link to={entryPath(entry)}>
                <TitledTask {...entryTitle(entry)} />
              </Link>
              {entry.type_name && ` (${entry.type_name})`}
              <small>{entry.command}</small>
            </span>
          ),
        },
        {
          label: 'Schedule',
          cell: (entry) => `${entry.times.map((index) => times[index]?.text).join(', ')} ${zoneLabel(zone)}`,
        },
        {
          label: 'Next Run',
          cell: ({ next_run, paused_by, tasks }) =>
            next_run ? (
              <time dateTime={next_run}>{formatInZone(next_run, zone)}</time>
            ) : paused_by ? (
              <Badge tone="warning" label={messages.paused_by[paused_by]} />
            ) : (
              <span className={classes.muted}>{tasks === 0 ? messages.no_active_task : '–'}</span>
            ),
        },
        {
          label: 'Each Run',
          cell: ({ tasks, run_seconds, requests }) =>
            tasks > 0 && (
              <span className={classes.muted}>{messages.each_time(tasks, run_seconds, requests)}</span>
            ),
        },
        {
          label: 'Actions',
          place: 'corner',
          cell: (entry) => entry.paused_by !== 'inactive' && <PauseButton entry={entry} />,
        },
      ]}
    />
  )
}

function PauseButton({ entry }: { entry: CalendarEntry }) {
  const client = useQueryClient()
  const name = titleText(entryTitle(entry))
  const is_paused = entry.paused_by === 'entry'
  const change = useMutation({
    mutationFn: () => pauseEntry(entry, !is_paused),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: [schedules.calendar.path] }),
        client.invalidateQueries({ queryKey: [schedules.scheduledTasks.path] }),
      ])
      toast.success(is_paused ? messages.resumed(name) : messages.schedule_paused(name))
    },
    onError: (error) =>
      toast.error(reasonOf(error, is_paused ? messages.resume_failed(name) : messages.pause_failed(name))),
  })
  return (
    <Button
      variant="default"
      size="xs"
      loading={change.isPending}
      aria-label={is_paused ? messages.resume(name) : messages.pause(name)}
      onClick={() => change.mutate()}
    >
      {is_paused ? 'Resume' : 'Pause'}
    </Button>
  )
}
