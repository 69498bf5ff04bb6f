import { Menu } from '@mantine/core'
import {
  IconEye,
  IconPlayerStop,
  IconRefreshAlert,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
} from '@tabler/icons-react'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { previewMessages } from '../../../contract/previews/client-messages.ts'
import { usePreviewMany } from '../actions/preview-many.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { useResetStatuses } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'
import type { BulkConfirmations } from './bulk-confirmations.tsx'
import { type Selection, selectionRefusal } from './bulk-rules.ts'

type Props = { selection: Selection; confirmations: BulkConfirmations }

/** The less frequent actions on all tasks, or on the filtered tasks. */
export function BulkMenuItems({ selection, confirmations }: Props) {
  const { has_previews } = useDescriptor()
  const reset = useResetStatuses()
  const preview = usePreviewMany()
  const { tasks, filtered } = selection
  const these = (action: 'stop' | 'activate' | 'deactivate' | 'delete') =>
    bulkMessages.button(action, tasks.length)
  const refused = selectionRefusal(selection) !== null
  return (
    <>
      <Menu.Item
        className={classes.narrow}
        leftSection={<IconPlayerStop size={16} />}
        disabled={refused}
        onClick={confirmations.stop}
      >
        {filtered ? these('stop') : 'Stop All'}
      </Menu.Item>
      {has_previews && (
        <Menu.Item
          leftSection={<IconEye size={16} />}
          disabled={refused || (filtered && tasks.length > limits.previews_max)}
          onClick={() => preview.mutate(filtered ? { ids: tasks.map(({ id }) => id) } : { all: true })}
        >
          {filtered ? previewMessages.preview_these(tasks.length) : previewMessages.preview_all}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconRefreshAlert size={16} />} onClick={() => reset.mutate()}>
        Reset running status
      </Menu.Item>
      {filtered ? (
        <>
          <Menu.Item
            leftSection={<IconToggleRight size={16} />}
            disabled={refused}
            onClick={confirmations.activate}
          >
            {these('activate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconToggleLeft size={16} />}
            disabled={refused}
            onClick={confirmations.deactivate}
          >
            {these('deactivate')}
          </Menu.Item>
        </>
      ) : (
        <Menu.Item leftSection={<IconToggleLeft size={16} />} onClick={confirmations.toggle}>
          Toggle All active
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item
        color="var(--error-text)"
        leftSection={<IconTrash size={16} />}
        disabled={refused}
        onClick={confirmations.remove}
      >
        {filtered ? these('delete') : 'Delete All'}
      </Menu.Item>
    </>
  )
}
