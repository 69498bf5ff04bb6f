import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { failureActionMessages as messages } from '../../../../contract/failures/dialog-messages.ts'
import type { Attention, AttentionGroup, AttentionKind } from '../../../../contract/pipeline/calls.ts'
import { attentionReason, pipelineMessages } from '../../../../contract/pipeline/client-messages.ts'
import { taskTitle, titleText } from '../../../../contract/titles/task-title.ts'
import { useSession, useTimeZone } from '../../../lib/session.ts'
import { formatMoment } from '../../../lib/time-zone.ts'
import { ClaimLine } from '../../../tasks/failures/claim-line.tsx'
import { FailureActions } from '../../../tasks/failures/failure-actions.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { LoadError } from '../../../ui/states.tsx'
import { TaskLink } from '../components/task-link.tsx'
import classes from './attention.module.css'
import { attentionQuery } from './attention-query.ts'

const tones: Record<AttentionKind, Tone> = {
  failed: 'error',
  waiting: 'purple',
  missed: 'warning',
  behind: 'warning',
  review: 'warning',
  warning: 'warning',
  stopped: 'warning',
}

/** Tasks that need attention for the same cause: the reason once, the tasks, and actions on all of them or on one. */
export function GroupOfTasks({ group }: { group: AttentionGroup }) {
  const [isOpen, setOpen] = useState(false)
  const zone = useTimeZone()
  const user = useSession()?.user
  const { kind, cause, count, at, claims, tasks } = group
  const reason = attentionReason(kind, group.reason)
  const [first] = tasks
  const isOne = count === 1 && first !== undefined
  const isMine = claims.some((claim) => claim.by.email === user?.email && claim.count === count)
  return (
    <li className={classes.group}>
      <div className={classes.head} data-roving>
        <Badge tone={tones[kind]} label={pipelineMessages.kinds[kind]} />
        <div className={classes.what}>
          <p className={classes.reason}>
            {count > 1 && <b>{messages.times(count)}</b>} {reason}
          </p>
          {!isOpen && (
            <p className={classes.names}>
              {tasks.map(({ task }) => (
                <span key={task.id}>
                  <TaskLink task={task} /> {isOne && <small>{task.type}</small>}
                </span>
              ))}
            </p>
          )}
          {claims.length > 0 && (
            <p className={classes.claims}>
              {claims.map((claim) => (
                <ClaimLine key={claim.by.email} claim={claim} count={claim.count} of={count} />
              ))}
            </p>
          )}
          <div className={classes.buttons}>
            {kind === 'review' && (
              <Link to={`/compiler/${first?.task.config_id}/overrides?state=review`}>
                {pipelineMessages.review_them}
              </Link>
            )}
            <FailureActions
              kind={kind}
              failures={
                isOne
                  ? { ids: [{ category: first.task.category, id: first.task.id }] }
                  : { filter: { cause } }
              }
              name={isOne ? titleText(taskTitle(first.task)) : messages.group(reason, count)}
              isMine={isMine}
              withText
            />
            {count > 1 && (
              <button
                type="button"
                className={classes.toggle}
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? messages.fewer : messages.all_tasks(count)}
              </button>
            )}
          </div>
        </div>
        <time dateTime={at}>{formatMoment(at, zone)}</time>
      </div>
      {isOpen && <TasksOfGroup group={group} />}
    </li>
  )
}

function TasksOfGroup({ group: { cause, count, tasks } }: { group: AttentionGroup }) {
  const { data, isError, refetch } = useQuery(attentionQuery({ cause }))
  if (isError && !data) return <LoadError message={messages.fetch_failed} onRetry={() => refetch()} />
  const shown = data?.tasks ?? tasks
  return (
    <ul className={classes.tasks}>
      {shown.map((one) => (
        <OneTask key={one.task.id} one={one} />
      ))}
      {count > shown.length && data && (
        <li className={classes.rest}>{pipelineMessages.more(count - shown.length)}</li>
      )}
    </ul>
  )
}

function OneTask({ one: { kind, task, at, claim } }: { one: Attention }) {
  const zone = useTimeZone()
  const user = useSession()?.user
  return (
    <li className={classes.task} data-roving>
      <span className={classes.name}>
        <TaskLink task={task} /> <small>{task.type}</small>
        {claim && <ClaimLine claim={claim} />}
      </span>
      <time dateTime={at}>{formatMoment(at, zone)}</time>
      <FailureActions
        kind={kind}
        failures={{ ids: [{ category: task.category, id: task.id }] }}
        name={titleText(taskTitle(task))}
        isMine={claim !== null && claim.by.email === user?.email}
      />
    </li>
  )
}
