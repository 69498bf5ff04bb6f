import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import type { TaskType } from '../../../../contract/task-types.ts'
import { call } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import type { TypesApi } from '../api.ts'

type Props = { api: TypesApi; type: TaskType; onClose: () => void }

/** Asks before a type goes; one that tasks or types refer to stays, and the server says which they are. */
export function DeleteTypeDialog({ api, type, onClose }: Props) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(api.calls.delete, { params: { id: type.id } }),
    onSuccess: () => {
      toast.success(messages.task_type_deleted)
      return Promise.all(api.touched.map((query) => client.invalidateQueries(query)))
    },
    onError: (error) => toast.error(reasonOf(error, api.words.delete_failed)),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      title={messages.confirm_deletion}
      confirm="Delete"
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{messages.confirm_delete_type(type.name)}</p>
      {type.tasks_count > 0 && <p>{messages.type_has_tasks(type.tasks_count)}</p>}
      {type.dependent_types_count > 0 && <p>{messages.type_has_dependents(type.dependent_types_count)}</p>}
    </ConfirmDialog>
  )
}
