import { Menu } from '@mantine/core'
import { IconArrowBarToDown, IconArrowBarToUp, IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useReposition } from '../bulk/bulk-actions.ts'
import type { Task } from '../task-model.ts'

/** `lock`: the reason why the task cannot be moved; null if it can. */
type Props = { task: Task; lock: string | null }

/** Menu items that move a task within its type; none if the type has no other task. */
export function MoveItems({ task, lock }: Props) {
  const move = useReposition(task)
  const {
    can_push_to_front,
    can_move_up,
    can_move_down,
    can_push_to_back,
    total_tasks_of_type,
    current_position,
  } = task.position_actions
  const locked = lock !== null
  const why = lock ?? undefined
  if (total_tasks_of_type <= 1) return null
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{`Position ${current_position} of ${total_tasks_of_type}`}</Menu.Label>
      <Menu.Item
        leftSection={<IconArrowBarToUp size={16} />}
        disabled={locked || !can_push_to_front}
        aria-description={why}
        onClick={() => move.mutate('front')}
      >
        Move to front
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowUp size={16} />}
        disabled={locked || !can_move_up}
        aria-description={why}
        onClick={() => move.mutate('up')}
      >
        Move up
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowDown size={16} />}
        disabled={locked || !can_move_down}
        aria-description={why}
        onClick={() => move.mutate('down')}
      >
        Move down
      </Menu.Item>
      <Menu.Item
        leftSection={<IconArrowBarToDown size={16} />}
        disabled={locked || !can_push_to_back}
        aria-description={why}
        onClick={() => move.mutate('back')}
      >
        Move to back
      </Menu.Item>
    </>
  )
}
