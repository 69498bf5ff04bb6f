import { Menu } from '@mantine/core'
import {
  IconCopyPlus,
  IconEyeCheck,
  IconInfoCircle,
  IconLink,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTable,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { runMessages } from '../../../contract/runs/client-messages.ts'

import { taskDialogMessages } from '../../../contract/tasks/dialog-messages.ts'
import { useAcknowledge, useTaskWarnings } from '../actions/acknowledge.ts'
import { MoveItems } from '../actions/move-items.tsx'
import { FailureItems } from '../failures/failure-items.tsx'
import { copyLink } from '../ownership/copy-link.ts'
import { lockOf, runRefusal } from '../state/locks.ts'
import { openWarnings } from '../state/progress-labels.ts'
import { taskStatus } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import type { RowRequests } from './row-requests.ts'
import classes from './task-menu-items.module.css'

type Props = {
  task: Task
  requests: RowRequests
  onRun: () => void
  onStop: () => void
}

/** All actions on a task. */
export function TaskMenuItems({ task, requests, onRun, onStop }: Props) {
  const descriptor = useDescriptor()
  const lock = lockOf(descriptor, task)
  const locked = lock !== null
  const why = runRefusal(descriptor, task)
  const path = `${descriptor.path}/${task.id}`
  const acknowledge = useAcknowledge(useTaskWarnings(task))
  const open = openWarnings(task).map(({ id }) => id)
  return (
    <>
      {why && <Menu.Label className={classes.why}>{why}</Menu.Label>}
      <Menu.Item
        leftSection={<IconPlayerPlay size={16} />}
        disabled={why !== null}
        aria-description={why ?? undefined}
        onClick={onRun}
      >
        Run
      </Menu.Item>
      {taskStatus(descriptor, task).can_stop && (
        <Menu.Item leftSection={<IconPlayerStop size={16} />} onClick={onStop}>
          Stop Task
        </Menu.Item>
      )}
      <descriptor.MenuItems task={task} />
      {!locked && open.length > 0 && (
        <Menu.Item leftSection={<IconEyeCheck size={16} />} onClick={() => acknowledge.mutate(open)}>
          {runMessages.acknowledge}
        </Menu.Item>
      )}
      <FailureItems task={task} onSnooze={requests.snooze} />
      <Menu.Divider />
      <Menu.Item leftSection={<IconInfoCircle size={16} />} component={Link} to={path}>
        Details
      </Menu.Item>
      {descriptor.hasData(task) &&
        (descriptor.DataDialog ? (
          <Menu.Item leftSection={<IconTable size={16} />} onClick={() => requests.showData(task)}>
            {descriptor.texts.data}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconTable size={16} />} component={Link} to={`${path}/data_copy`}>
            {descriptor.texts.data}
          </Menu.Item>
        ))}
      <Menu.Item
        leftSection={<IconPencil size={16} />}
        disabled={locked}
        aria-description={lock ?? undefined}
        onClick={() => requests.edit(task)}
      >
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={() => requests.duplicate(task)}>
        {taskDialogMessages.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        onClick={() => copyLink(path, descriptor.titleOf(task).title)}
      >
        {taskDialogMessages.copy_link}
      </Menu.Item>
      <MoveItems task={task} lock={lock} />
      <Menu.Divider />
      <Menu.Item
        color="var(--error-text)"
        leftSection={<IconTrash size={16} />}
        disabled={locked}
        aria-description={lock ?? undefined}
        onClick={() => requests.remove(task)}
      >
        Delete
      </Menu.Item>
    </>
  )
}
