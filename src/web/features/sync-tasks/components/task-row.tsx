import { ActionIcon } from '@mantine/core'
import {
  IconArrowNarrowRight,
  IconDatabase,
  IconDots,
  IconFileText,
  IconPlayerPlay,
  IconPlayerStop,
  IconTable,
} from '@tabler/icons-react'
import { lazy, memo } from 'react'
import { Link } from 'react-router'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { formatLongMoment, formatMoment } from '../../../lib/time-zone.ts'
import { useRun, useStop, useToggleActive } from '../../../tasks/actions/run-actions.ts'
import type { RowRequests } from '../../../tasks/list/row-requests.ts'
import { AcknowledgedMark } from '../../../tasks/state/acknowledged-mark.tsx'
import { Elapsed } from '../../../tasks/state/elapsed.tsx'
import { isUnderWay } from '../../../tasks/state/status.ts'
import { StatusBadge } from '../../../tasks/state/status-badge.tsx'
import { TaskProgress } from '../../../tasks/state/task-progress.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { Readiness } from './readiness.tsx'
import classes from './task-row.module.css'
import { displayName, ownName, sourceOf, targetOf } from './wording.ts'

const TaskMenuItems = lazy(async () => ({ default: (await import('./task-menu-items.tsx')).TaskMenuItems }))

type Props = {
  task: SyncTask
  last: boolean
  /** A Run All is unfinished: every task counts as running. */
  allRunning: boolean
  requests: RowRequests
}

/** One task of the list. Drawn again only when its task object changes. */
export const TaskRow = memo(function TaskRow({ task, last, allRunning, requests }: Props) {
  const run = useRun(task)
  const stop = useStop(task)
  const toggle = useToggleActive(task)
  const { name } = task
  const own = ownName(task)
  const underWay = isUnderWay(task)
  const zone = useTimeZone()
  const triggered = task.last_triggered?.time
  const SourceIcon = task.source_type === 'internal' ? IconDatabase : IconTable
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
          <Link to={`/sync_tasks/${task.id}`} title={name}>
            {displayName(task)}
            {own && <span className={classes.own}> {own}</span>}
          </Link>
        </h3>
        <p title={`${sourceOf(task)} → ${targetOf(task)}`}>
          <span className={classes.place}>
            <SourceIcon size={14} aria-hidden />
            <span>{sourceOf(task)}</span>
          </span>
          <span className={classes.place}>
            <IconArrowNarrowRight size={14} aria-label="to" />
            <span>{targetOf(task)}</span>
          </span>
        </p>
      </div>
      <Readiness task={task} className={classes.readiness} />
      <div className={classes.status}>
        <StatusBadge status={task.task_status} />
        <AcknowledgedMark task={task} />
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
            aria-disabled={task.task_status === 'Stopping'}
            onClick={() => task.task_status !== 'Stopping' && stop.mutate()}
          >
            <IconPlayerStop size={18} />
          </ActionIcon>
        ) : (
          <ActionIcon
            className={classes.run}
            aria-label={`Run ${name}`}
            title="Run"
            loading={run.isPending}
            disabled={allRunning}
            onClick={() => run.mutate()}
          >
            <IconPlayerPlay size={18} />
          </ActionIcon>
        )}
        <ActionIcon
          component={Link}
          to={`/sync_tasks/${task.id}/logs`}
          aria-label={`Logs of ${name}`}
          title="Logs"
        >
          <IconFileText size={18} />
        </ActionIcon>
        <MenuButton
          label={`More actions for ${name}`}
          items={
            <TaskMenuItems
              task={task}
              locked={underWay || allRunning}
              requests={requests}
              onRun={run.mutate}
              onStop={stop.mutate}
            />
          }
        >
          <IconDots size={18} />
        </MenuButton>
      </div>
    </article>
  )
})
