import { Menu } from '@mantine/core'
import { IconCircleDashedCheck, IconEye } from '@tabler/icons-react'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { usePreview } from '../../../tasks/actions/preview.ts'
import { ExportDataItem } from '../../../tasks/data/export-data-item.tsx'
import { syncTaskModel } from './model.ts'
import { useCheckReadiness } from './use-readiness.ts'

/** Menu items that preview a run, check the source of a task, and download what it copied. */
export function SyncMenuItems({ task }: { task: SyncTask }) {
  const preview = usePreview(task.id)
  const check = useCheckReadiness(task)
  return (
    <>
      <Menu.Item
        leftSection={<IconEye size={16} />}
        aria-description={messages.preview_hint}
        onClick={() => preview.mutate()}
      >
        {messages.preview}
      </Menu.Item>
      <Menu.Item leftSection={<IconCircleDashedCheck size={16} />} onClick={check}>
        Check readiness
      </Menu.Item>
      <ExportDataItem id={task.id} has_rows={syncTaskModel.hasData(task)} />
    </>
  )
}
