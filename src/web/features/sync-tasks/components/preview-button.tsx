import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { planMessages as messages } from '../../../../contract/plans/client-messages.ts'
import type { SyncTask } from '../../../../contract/sync-tasks/calls.ts'
import { usePreview } from '../../../tasks/actions/preview.ts'

/** Starts a preview from the page of a task. */
export function PreviewButton({ task }: { task: SyncTask }) {
  const preview = usePreview(task.id)
  return (
    <Button
      variant="default"
      leftSection={<IconEye size={17} aria-hidden />}
      aria-description={messages.preview_hint}
      loading={preview.isPending}
      onClick={() => preview.mutate()}
    >
      {messages.preview}
    </Button>
  )
}
