import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { failureActionMessages as messages } from '../../../../contract/failures/dialog-messages.ts'
import type { Attention } from '../../../../contract/pipeline/calls.ts'
import { attentionReason } from '../../../../contract/pipeline/client-messages.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { type Failures, useActOnFailures } from '../../../tasks/failures/act-on-failures.ts'
import { MarkLine } from '../../../tasks/failures/mark-line.tsx'
import { LoadError, LoadingRows } from '../../../ui/states.tsx'
import { TaskLink } from '../components/task-link.tsx'
import classes from './attention.module.css'
import { attentionQuery } from './attention-query.ts'

/** Acknowledged and snoozed tasks by cause: by whom, since or until when, and a button that lists them again. */
export function MarkedList() {
  const { data, isError, refetch } = useQuery(attentionQuery({ marked: 'true' }))
  if (isError && !data) return <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />
  if (!data) return <LoadingRows rows={2} label={messages.marked_title} />
  const groups = Map.groupBy(data.tasks, ({ kind, cause }) => `${kind} ${cause}`)
  return (
    <ul className={classes.marked} aria-label={messages.marked_title}>
      {[...groups].map(([key, tasks]) => (
        <MarkedGroup key={key} tasks={tasks} />
      ))}
    </ul>
  )
}

function MarkedGroup({ tasks }: { tasks: Attention[] }) {
  const zone = useTimeZone()
  const [first] = tasks
  if (first === undefined) return null
  const { kind, cause } = first
  const reason = attentionReason(kind, first.reason)
  return (
    <li>
      <div className={classes.task} data-roving>
        <span className={classes.reason}>
          {tasks.length > 1 && <b>{messages.times(tasks.length)}</b>} {reason}
        </span>
        <time dateTime={first.at}>{formatMoment(first.at, zone)}</time>
        {tasks.length > 1 && (
          <ListAgain
            failures={{ filter: { cause, marked: true } }}
            name={messages.group(reason, tasks.length)}
          />
        )}
      </div>
      <ul className={classes.tasks}>
        {tasks.map(({ task, mark }) => (
          <li key={task.id} className={classes.task} data-roving>
            <span className={classes.name}>
              <TaskLink task={task} /> {mark && <MarkLine mark={mark} />}
            </span>
            <ListAgain
              failures={{ ids: [{ category: task.category, id: task.id }] }}
              name={titleText(taskTitle(task))}
            />
          </li>
        ))}
      </ul>
    </li>
  )
}

function ListAgain({ failures, name }: { failures: Failures; name: string }) {
  const act = useActOnFailures(failures)
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={messages.of(messages.list_again, name)}
      loading={act.isPending}
      onClick={() => act.mutate({ action: 'unmark' })}
    >
      {messages.list_again}
    </Button>
  )
}
