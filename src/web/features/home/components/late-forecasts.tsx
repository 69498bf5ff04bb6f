import { IconClockExclamation } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { readyBy } from '../../../../contract/forecast/calls.ts'
import { pipelineMessages as messages } from '../../../../contract/pipeline/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import classes from './late-forecasts.module.css'

const REFRESH_MS = 60_000

/** Tasks and types that are predicted to miss the time by which they have to be ready, with the reason and a suggestion. */
export function LateForecasts() {
  const zone = useTimeZone()
  const { data } = useQuery({
    queryKey: [readyBy.list.path],
    queryFn: ({ signal }) => call(readyBy.list, { signal }),
    refetchInterval: REFRESH_MS,
  })
  const late = data?.filter(({ is_late }) => is_late) ?? []
  if (late.length === 0) return null
  return (
    <ul className={classes.late} aria-label={messages.late_title}>
      {late.map(({ kind, id, name, ready_by, deadline, ready_at, reason, suggestion }) => (
        <li key={`${kind} ${id}`}>
          <IconClockExclamation size={20} aria-hidden />
          <p>
            <Link to="/schedule">
              {messages.late(
                name,
                ready_by,
                // Of failed tasks, only the others are ready by then.
                ready_at && deadline && ready_at > deadline ? formatMoment(ready_at, zone) : null,
              )}
            </Link>{' '}
            {reason} {suggestion}
          </p>
        </li>
      ))}
    </ul>
  )
}
