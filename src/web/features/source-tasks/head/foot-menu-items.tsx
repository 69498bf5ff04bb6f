import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

type Props = { label: string; disabled: boolean; onDelete: () => void }

/** What is done with all tasks, or with those that the filters show, more rarely. */
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
