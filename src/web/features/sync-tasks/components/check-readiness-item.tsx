import { Menu } from '@mantine/core'
import { IconCircleDashedCheck } from '@tabler/icons-react'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { useCheckReadiness } from './use-readiness.ts'

/** Checks the source of a task from its menu. */
export function CheckReadinessItem({ task }: { task: SyncTask }) {
  const check = useCheckReadiness(task)
  return (
    <Menu.Item leftSection={<IconCircleDashedCheck size={16} />} onClick={check}>
      Check readiness
    </Menu.Item>
  )
}
