import { Menu } from '@mantine/core'
import { IconCopyPlus, IconLink } from '@tabler/icons-react'
import { taskDialogMessages } from '../../../contract/tasks/dialog-messages.ts'
import { copyLink } from '../ownership/copy-link.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'

/** The less frequent actions on a task's own page. */
export function PageMenuItems({ task, onDuplicate }: { task: Task; onDuplicate: () => void }) {
  const descriptor = useDescriptor()
  return (
    <>
      <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={onDuplicate}>
        {taskDialogMessages.duplicate}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconLink size={16} />}
        onClick={() => copyLink(`${descriptor.path}/${task.id}`, descriptor.titleOf(task).title)}
      >
        {taskDialogMessages.copy_link}
      </Menu.Item>
    </>
  )
}
