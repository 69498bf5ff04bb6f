import { ActionIcon } from '@mantine/core'
import { IconDots, IconFileText, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, memo } from 'react'
import { Link } from 'react-router'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../lib/time-zone.ts'
import { heldBack } from '../../ui/held-back.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useRun, useStop, useToggleActive } from '../actions/run-actions.ts'
import type { RowRequests } from '../list/row-requests.ts'
import { Elapsed } from '../state/elapsed.tsx'
import { runRefusal } from '../state/locks.ts'
import { isStoppable, isUnderWay } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { TaskProgress } from '../state/task-progress.tsx'
import { WarningMark } from '../state/warning-mark.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import classes from './task-row.module.css'

const TaskMenuItems = lazy(async () => ({ default: (await import('./task-menu-items.tsx')).TaskMenuItems }))

type Props = {
  task: Task
  last: boolean
  requests: RowRequests
}

/** One task of the list. Drawn again only when its task object changes. */
export const TaskRow = memo(function TaskRow({ task, last, requests }: Props) {
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const descriptor = useDescriptor()
  const { name } = task
  const { title, own } = descriptor.titleOf(task)
  const path = `${descriptor.path}/${task.id}`
  const underWay = isUnderWay(descriptor, task)
  const stoppable = isStoppable(descriptor, task)
  const zone = useTimeZone()
  const triggered = task.last_triggered?.time
  return (
    <article
      className={classes.row}
      aria-label={name}
      data-last={last || undefined}
      data-inactive={!task.is_active || undefined}
    >
      <div className={classes.toggle}>
        <Switch
          label={`${name} is active`}
          checked={task.is_active}
          locked={toggle.isPending}
          onChange={toggle.mutate}
        />
      </div>
      <div className={classes.title}>
        <h3>
          <Link to={path} title={name}>
            {title}
            {own && <span className={classes.own}> {own}</span>}
          </Link>
        </h3>
        <descriptor.RowDetail task={task} />
      </div>
      <descriptor.RowAside task={task} className={classes.aside} requests={requests} />
      <div className={classes.status}>
        <StatusBadge status={descriptor.statusOf(task)} />
        <WarningMark task={task} />
      </div>
      <div className={classes.progress}>
        <TaskProgress task={task} />
      </div>
      <div className={classes.time}>
        {triggered && (
          <time dateTime={triggered} title={formatLongMoment(triggered, zone)}>
            {formatMoment(triggered, zone)}
          </time>
        )}
        <Elapsed task={task} />
      </div>
      <div className={classes.actions}>
        {underWay ? (
          <ActionIcon
            className={classes.stop}
            aria-label={`Stop ${name}`}
            title="Stop Task"
            {...heldBack(stoppable ? null : taskMessages.locked_stopping, stop.mutate)}
          >
            <IconPlayerStop size={18} />
          </ActionIcon>
        ) : (
          <ActionIcon
            className={classes.run}
            aria-label={`Run ${name}`}
            title="Run"
            loading={run.isPending}
            {...heldBack(runRefusal(descriptor, task), run.mutate)}
          >
            <IconPlayerPlay size={18} />
          </ActionIcon>
        )}
        <ActionIcon component={Link} to={`${path}/logs`} aria-label={`Logs of ${name}`} title="Logs">
          <IconFileText size={18} />
        </ActionIcon>
        <MenuButton
          label={`More actions for ${name}`}
          items={<TaskMenuItems task={task} requests={requests} onRun={run.mutate} onStop={stop.mutate} />}
        >
          <IconDots size={18} />
        </MenuButton>
      </div>
    </article>
  )
})
