import { Menu } from '@mantine/core'
import { IconClockPause, IconEye, IconEyeCheck, IconUserCheck, IconUserMinus } from '@tabler/icons-react'
import { failureActionMessages as messages } from '../../../contract/failures/dialog-messages.ts'
import { useSession } from '../../lib/session.ts'
import { openWarnings } from '../state/progress-labels.ts'
import { taskStatus } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { useActOnFailureOf } from './act-on-failure-of.ts'

type Props = { task: Task; onSnooze: (task: Task) => void }

/** Menu items that claim, acknowledge and snooze the failure of a task. Nothing for a task whose last run ended well. */
export function FailureItems({ task, onSnooze }: Props) {
  const user = useSession()?.user
  const act = useActOnFailureOf(task)
  const { is_failure, is_live } = taskStatus(useDescriptor(), task)
  if (is_live || (!is_failure && openWarnings(task).length === 0)) return null
  const isMine = task.claim !== null && task.claim.by.email === user?.email
  const Icon = isMine ? IconUserMinus : IconUserCheck
  return (
    <>
      <Menu.Item
        leftSection={<Icon size={16} />}
        onClick={() => act.mutate({ action: isMine ? 'release' : 'claim' })}
      >
        {isMine ? messages.release : messages.claim}
      </Menu.Item>
      {is_failure && task.mark?.kind !== 'acknowledged' && (
        <Menu.Item
          leftSection={<IconEyeCheck size={16} />}
          onClick={() => act.mutate({ action: 'acknowledge' })}
        >
          {messages.acknowledge}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconClockPause size={16} />} onClick={() => onSnooze(task)}>
        {messages.snooze_item}
      </Menu.Item>
      {task.mark && (
        <Menu.Item leftSection={<IconEye size={16} />} onClick={() => act.mutate({ action: 'unmark' })}>
          {messages.list_again}
        </Menu.Item>
      )}
    </>
  )
}
