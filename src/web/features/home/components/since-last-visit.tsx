import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { visits } from '../../../../contract/visits/calls.ts'
import { visitMessages as messages } from '../../../../contract/visits/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { visitQuery } from '../../../tasks/visits/visit-query.ts'
import { LoadError } from '../../../ui/states.tsx'
import { Panel } from './panel.tsx'
import classes from './since-last-visit.module.css'
import { TaskLink } from './task-link.tsx'

const REFRESH_MS = 60_000

/** What failed, recovered and was changed by whom since the user's previous visit; nothing on the first one. */
export function SinceLastVisit() {
  const zone = useTimeZone()
  const since = useQuery(visitQuery).data?.previous_ended_at ?? null
  const { data, isError, refetch } = useQuery({
    queryKey: [visits.news.path, since],
    queryFn: ({ signal }) => call(visits.news, { query: since === null ? {} : { since }, signal }),
    enabled: since !== null,
    refetchInterval: REFRESH_MS,
    meta: { failure: messages.fetch_failed },
  })
  if (since === null) return null
  if (isError && !data) return <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />
  if (!data) return null
  const { failed, recovered, changes } = data
  const isEmpty = failed.count + recovered.count + changes.length === 0
  return (
    <Panel title={messages.title} detail={<time dateTime={since}>{formatMoment(since, zone)}</time>}>
      {isEmpty && <p className={classes.nothing}>{messages.nothing}</p>}
      <ul className={classes.news}>
        {failed.count > 0 && (
          <li data-tone="error">
            <b>{messages.failed(failed.count)}</b>
            <ul>
              {failed.causes.map(({ cause, count, reason, tasks }) => (
                <li key={cause}>
                  <Tasks tasks={tasks} count={count} more={runsSince(since, 'failed')} />
                  <span className={classes.reason}>{reason}</span>
                </li>
              ))}
            </ul>
          </li>
        )}
        {recovered.count > 0 && (
          <li data-tone="success">
            <b>{messages.recovered(recovered.count)}</b>
            <Tasks {...recovered} more={runsSince(since, 'success')} />
          </li>
        )}
        {changes.map(({ by, kind, object_type, count, names }) => (
          <li key={`${by.email} ${kind} ${object_type}`} data-tone="neutral">
            <span title={by.email}>
              <b>{by.name || by.email}</b> {messages.changed(kind, count, object_type)}
            </span>
            {names.length > 0 && (
              <span className={classes.reason}>
                {names.join(', ')} {count > names.length && messages.more(count - names.length)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Address of the runs that ended in a state, of those queued since a moment. */
const runsSince = (since: string, state: 'failed' | 'success') =>
  `/runs?${new URLSearchParams({ state, time: 'between', from: since })}`

type TasksProps = {
  tasks: readonly Parameters<typeof TaskLink>[0]['task'][]
  count: number
  /** Address of a list that has the others, too. */
  more: string
}

const Tasks = ({ tasks, count, more }: TasksProps) => (
  <span className={classes.tasks}>
    {tasks.map((task) => (
      <TaskLink key={task.id} task={task} />
    ))}
    {count > tasks.length && (
      <Link to={more} className={classes.more}>
        {messages.more(count - tasks.length)}
      </Link>
    )}
  </span>
)
