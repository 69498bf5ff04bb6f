import { Menu } from '@mantine/core'
import {
  IconDownload,
  IconPlayerStop,
  IconRefreshAlert,
  IconToggleLeft,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { useDescriptor } from '../task-descriptor.tsx'
import { useExport, useResetStatuses } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'

type Props = { onStop: () => void; onToggle: () => void; onDelete: () => void }

/** What is done with all tasks more rarely. */
export function BulkMenuItems({ onStop, onToggle, onDelete }: Props) {
  const reset = useResetStatuses()
  const save = useExport()
  const { import_path } = useDescriptor()
  return (
    <>
      <Menu.Item className={classes.narrow} leftSection={<IconPlayerStop size={16} />} onClick={onStop}>
        Stop All
      </Menu.Item>
      <Menu.Item leftSection={<IconRefreshAlert size={16} />} onClick={() => reset.mutate()}>
        Reset running status
      </Menu.Item>
      <Menu.Item leftSection={<IconToggleLeft size={16} />} onClick={onToggle}>
        Toggle All active
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => save.mutate()}>
        Export CSV
      </Menu.Item>
      <Menu.Item leftSection={<IconUpload size={16} />} component={Link} to={import_path}>
        Import CSV
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item color="var(--error-text)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
        Delete All
      </Menu.Item>
    </>
  )
}
