import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { exportData } from './dialog-calls.ts'

/** Saves the rows of a task as a file; there is nothing to save before it has any. */
export function ExportDataItem({ task: { id, row_count } }: { task: SourceTask }) {
  const saving = useMutation({
    mutationFn: () => exportData(id),
    onError: (error) => toast.error(reasonOf(error, sourceMessages.export_failed), limits.csv_toast_ms),
  })
  return (
    <Menu.Item
      leftSection={<IconDownload size={16} />}
      disabled={row_count === null}
      onClick={() => saving.mutate()}
    >
      Export Data
    </Menu.Item>
  )
}
