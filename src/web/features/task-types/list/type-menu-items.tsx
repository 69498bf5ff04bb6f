import { Menu } from '@mantine/core'
import { IconCopy, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { editPath, fromList } from '../components/type-paths.ts'
import { useDuplicate, useToggleType } from './type-actions.ts'

type Props = {
  type: TaskType
  /** Set if the row has no delete button of its own. */
  onDelete?: (type: TaskType) => void
}

/** Menu items of a source type. */
export function TypeMenuItems({ type, onDelete }: Props) {
  const navigate = useNavigate()
  const state = fromList(useLocation().search)
  const duplicate = useDuplicate((copy) => navigate(editPath(copy.id), { state }))
  const toggle = useToggleType()
  return (
    <>
      <Menu.Item leftSection={<IconPencil size={16} />} component={Link} to={editPath(type.id)} state={state}>
        {onDelete ? 'Edit' : 'All settings'}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => duplicate.mutate(type)}>
        Duplicate
      </Menu.Item>
      <Menu.Item
        leftSection={type.is_active ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        onClick={() => toggle.mutate(type)}
      >
        {type.is_active ? 'Deactivate' : 'Activate'}
      </Menu.Item>
      {onDelete && (
        <>
          <Menu.Divider />
          <Menu.Item
            color="var(--error-text)"
            leftSection={<IconTrash size={16} />}
            onClick={() => onDelete(type)}
          >
            Delete
          </Menu.Item>
        </>
      )}
    </>
  )
}
