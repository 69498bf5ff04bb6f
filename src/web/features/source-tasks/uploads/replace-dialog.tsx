import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { uploadMessages as messages } from '../../../../contract/uploads/client-messages.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { dropOnTask } from './drop-on-task.ts'
import { replacedSource } from './replaced-source.ts'

type Props = { task: SourceTask; files: readonly File[]; onClose: () => void }

/** Asks before an uploaded file replaces another source of a task. */
export function ReplaceDialog({ task, files, onClose }: Props) {
  const client = useQueryClient()
  const upload = useMutation({ mutationFn: () => dropOnTask(client, task, files), onSettled: onClose })
  const [file] = files
  if (!file) return null
  return (
    <ConfirmDialog
      title={messages.replace_title}
      confirm={messages.replace}
      busy={upload.isPending}
      onConfirm={() => upload.mutate()}
      onClose={onClose}
    >
      <p>{messages.replace_question(task.name, replacedSource(task, files) ?? '', file.name)}</p>
      <p>{messages.replace_hint}</p>
    </ConfirmDialog>
  )
}
