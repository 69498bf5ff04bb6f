import { Menu } from '@mantine/core'
import {
  IconDownload,
  IconPlayerStop,
  IconRefreshAlert,
  IconToggleLeft,
  IconToggleRight,
  IconTrash,
  IconUpload,
} from '@tabler/icons-react'
import { Link } from 'react-router'
import { bulkMessages } from '../../../contract/bulk/client-messages.ts'

import { useDescriptor } from '../task-descriptor.tsx'
import { useExport, useResetStatuses } from './bulk-actions.ts'
import classes from './bulk-bar.module.css'
import type { BulkQuestions } from './bulk-questions.tsx'
import { type Selection, selectionRefusal } from './bulk-rules.ts'

type Props = { selection: Selection; questions: BulkQuestions }

/** What is done with all tasks, or with those that the filters show, more rarely. */
export function BulkMenuItems({ selection, questions }: Props) {
  const reset = useResetStatuses()
  const save = useExport()
  const { import_path } = useDescriptor()
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
        onClick={questions.stop}
      >
        {filtered ? these('stop') : 'Stop All'}
      </Menu.Item>
      <Menu.Item leftSection={<IconRefreshAlert size={16} />} onClick={() => reset.mutate()}>
        Reset running status
      </Menu.Item>
      {filtered ? (
        <>
          <Menu.Item
            leftSection={<IconToggleRight size={16} />}
            disabled={refused}
            onClick={questions.activate}
          >
            {these('activate')}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconToggleLeft size={16} />}
            disabled={refused}
            onClick={questions.deactivate}
          >
            {these('deactivate')}
          </Menu.Item>
        </>
      ) : (
        <Menu.Item leftSection={<IconToggleLeft size={16} />} onClick={questions.toggle}>
          Toggle All active
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => save.mutate()}>
        Export CSV
      </Menu.Item>
      <Menu.Item leftSection={<IconUpload size={16} />} component={Link} to={import_path}>
        Import CSV
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        color="var(--error-text)"
        leftSection={<IconTrash size={16} />}
        disabled={refused}
        onClick={questions.remove}
      >
        {filtered ? these('delete') : 'Delete All'}
      </Menu.Item>
    </>
  )
}
