import { Menu } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

/** What is done with all tasks more rarely. */
export const FootMenuItems = ({ onDelete }: { onDelete: () => void }) => (
  <Menu.Item color="var(--error-text)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
    Delete All
  </Menu.Item>
)
