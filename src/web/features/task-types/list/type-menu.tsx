import { IconDotsVertical } from '@tabler/icons-react'
import { lazy } from 'react'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { MenuButton } from '../../../ui/menu-button.tsx'

const TypeMenuItems = lazy(async () => ({ default: (await import('./type-menu-items.tsx')).TypeMenuItems }))

type Props = { type: TaskType; onDelete?: (type: TaskType) => void }

export const TypeMenu = (props: Props) => (
  <MenuButton label={`More actions for ${props.type.name}`} items={<TypeMenuItems {...props} />}>
    <IconDotsVertical size={17} />
  </MenuButton>
)
