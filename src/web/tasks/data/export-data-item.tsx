import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useExportData } from './use-export-data.ts'

/** Menu item that downloads the rows of a task; disabled until it has rows. */
export function ExportDataItem({ id, has_rows }: { id: number; has_rows: boolean }) {
  const saving = useExportData(id)
  return (
    <Menu.Item leftSection={<IconDownload size={16} />} disabled={!has_rows} onClick={() => saving.mutate()}>
      Export Data
    </Menu.Item>
  )
}
