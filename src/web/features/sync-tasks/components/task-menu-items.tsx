import { Menu } from '@mantine/core'
import {
  IconCircleDashedCheck,
  IconEyeCheck,
  IconInfoCircle,
  IconPencil,
  IconPlayerPlay,
  IconPlayerStop,
  IconTable,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { messages } from '../../../../contract/messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks.ts'
import { useAcknowledge } from '../../../tasks/actions/acknowledge.ts'
import { MoveItems } from '../../../tasks/actions/move-items.tsx'
import { useCheckReadiness } from '../../../tasks/actions/run-actions.ts'
import type { RowRequests } from '../../../tasks/list/row-requests.ts'
import { canStop } from '../../../tasks/state/status.ts'

type Props = {
  task: SyncTask
  /** It counts as running: what would disturb a run is not offered. */
  locked: boolean
  requests: RowRequests
  onRun: () => void
  onStop: () => void
}

/** Everything that can be done with a task. */
export function TaskMenuItems({ task, locked, requests, onRun, onStop }: Props) {
  const check = useCheckReadiness(task)
  const acknowledge = useAcknowledge(task)
  const open = task.run_warnings.filter(({ acknowledged }) => !acknowledged).map(({ id }) => id)
  return (
    <>
      <Menu.Item leftSection={<IconPlayerPlay size={16} />} disabled={locked} onClick={onRun}>
        Run
      </Menu.Item>
      {canStop(task.task_status) && (
        <Menu.Item leftSection={<IconPlayerStop size={16} />} onClick={onStop}>
          Stop Task
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconCircleDashedCheck size={16} />} onClick={check}>
        Check readiness
      </Menu.Item>
      {!locked && open.length > 0 && (
        <Menu.Item leftSection={<IconEyeCheck size={16} />} onClick={() => acknowledge.mutate(open)}>
          {messages.acknowledge}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconInfoCircle size={16} />} component={Link} to={`/sync_tasks/${task.id}`}>
        Details
      </Menu.Item>
      <Menu.Item
        leftSection={<IconTable size={16} />}
        component={Link}
        to={`/sync_tasks/${task.id}/data_copy`}
      >
        Copied data
      </Menu.Item>
      <Menu.Item leftSection={<IconPencil size={16} />} disabled={locked} onClick={() => requests.edit(task)}>
        Edit
      </Menu.Item>
      <MoveItems task={task} locked={locked} />
      <Menu.Divider />
      <Menu.Item
        color="var(--error-text)"
        leftSection={<IconTrash size={16} />}
        disabled={locked}
        onClick={() => requests.remove(task)}
      >
        Delete
      </Menu.Item>
    </>
  )
}
