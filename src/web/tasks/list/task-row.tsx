import { ActionIcon } from '@mantine/core'
import { IconDots, IconFileText, IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { lazy, memo, Suspense } from 'react'
import { Link } from 'react-router'
import { selectionMessages } from '../../../contract/selection/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { useTimeZone } from '../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../lib/time-zone.ts'
import { disabledWithReason } from '../../ui/disabled-with-reason.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { shortcuts } from '../../ui/shortcuts.ts'
import { Switch } from '../../ui/switch.tsx'
import { isPressed } from '../../ui/use-shortcut.ts'
import { useRun, useStop, useToggleActive } from '../actions/run-actions.ts'
import { useLeaving } from '../bulk/leaving-tasks.ts'
import { FailureMark } from '../failures/failure-mark.tsx'
import { StarButton } from '../favourites/star-button.tsx'
import { RowOwnership } from '../ownership/row-ownership.tsx'
import { SelectBox } from '../select/select-box.tsx'
import type { SelectTask } from '../select/use-selection.ts'
import { Elapsed } from '../state/elapsed.tsx'
import { runRefusal } from '../state/locks.ts'
import { isStoppable, isUnderWay } from '../state/status.ts'
import { StatusBadge } from '../state/status-badge.tsx'
import { TaskProgress } from '../state/task-progress.tsx'
import { WarningMark } from '../state/warning-mark.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import type { RowRequests } from './row-requests.ts'
import classes from './task-row.module.css'
import { useFileDrop } from './use-file-drop.tsx'

const LeavingMark = lazy(async () => ({ default: (await import('../bulk/leaving-mark.tsx')).LeavingMark }))

const LateMark = lazy(async () => ({ default: (await import('../ready-by/late-mark.tsx')).LateMark }))

const TaskMenuItems = lazy(async () => ({ default: (await import('./task-menu-items.tsx')).TaskMenuItems }))

type Props = {
  task: Task
  last: boolean
  requests: RowRequests
  selected: boolean
  onSelect: SelectTask
}

/** One task of the list. Re-rendered only if its task object changes. */
export const TaskRow = memo(function TaskRow({ task, last, requests, selected, onSelect }: Props) {
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const descriptor = useDescriptor()
  const { name } = task
  const { title, detail } = descriptor.titleOf(task)
  const path = `${descriptor.path}/${task.id}`
  const underWay = isUnderWay(descriptor, task)
  const stoppable = isStoppable(descriptor, task)
  const zone = useTimeZone()
  const drop = useFileDrop(task)
  const triggered = task.last_triggered?.time
  const leaving = useLeaving(task.id)
  return (
    <article
      className={classes.row}
      aria-label={name}
      data-last={last || undefined}
      data-inactive={!task.is_active || undefined}
      data-selected={selected || undefined}
      data-leaving={leaving !== undefined || undefined}
      data-roving
      {...drop.props}
    >
      {drop.question}
      <div className={classes.select}>
        <SelectBox
          label={selectionMessages.select(name)}
          state={selected ? 'all' : 'none'}
          onChange={(on, extend) => onSelect(task.id, on, extend)}
        />
      </div>
      <div className={classes.toggle}>
        <Switch
          label={`${name} is active`}
          checked={task.is_active}
          locked={toggle.isPending}
          onChange={toggle.mutate}
        />
      </div>
      <StarButton className={classes.star} task_id={task.id} name={name} />
      <div className={classes.title}>
        <div className={classes.heading}>
          <h3>
            <Link
              to={path}
              title={name}
              data-first
              onKeyDown={({ nativeEvent }) => {
                if (!isPressed(shortcuts.select_row, nativeEvent)) return
                nativeEvent.preventDefault()
                onSelect(task.id, !selected, nativeEvent.shiftKey)
              }}
            >
              {title}
              {detail && <span className={classes.detail}> {detail}</span>}
            </Link>
          </h3>
          <RowOwnership task={task} />
        </div>
        <descriptor.RowDetail task={task} />
      </div>
      <descriptor.RowAside task={task} className={classes.aside} requests={requests} />
      <div className={classes.status}>
        <StatusBadge status={descriptor.statusOf(task)} />
        <WarningMark task={task} />
        <FailureMark task={task} />
        <Suspense>
          <LateMark task={task} />
        </Suspense>
      </div>
      <div className={classes.progress}>
        {leaving === undefined ? (
          <TaskProgress task={task} />
        ) : (
          <Suspense>
            <LeavingMark name={name} {...leaving} />
          </Suspense>
        )}
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
            {...disabledWithReason(stoppable ? null : taskMessages.locked_stopping, stop.mutate)}
          >
            <IconPlayerStop size={18} />
          </ActionIcon>
        ) : (
          <ActionIcon
            className={classes.run}
            aria-label={`Run ${name}`}
            title="Run"
            loading={run.isPending}
            {...disabledWithReason(runRefusal(descriptor, task), run.mutate)}
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
