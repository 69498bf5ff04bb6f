import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

type Props = { label: string; disabled: boolean; onDelete: () => void }

/** The less frequent actions on all tasks, or on the filtered tasks. */
export const FootMenuItems = ({ label, disabled, onDelete }: Props) => (
  <Menu.Item
    color="var(--error-text)"
    leftSection={<IconTrash size={16} />}
    disabled={disabled}
    onClick={onDelete}
  >
    {label}
  </Menu.Item>
)
