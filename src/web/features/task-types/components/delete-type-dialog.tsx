import { useMutation, useQueryClient } from '@tanstack/react-query'
import { frameMessages } from '../../../../contract/system/client-messages.ts'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type TypesApi, typesChanged } from '../api.ts'
import classes from './delete-type-dialog.module.css'

type Props = { api: TypesApi; type: TaskType; onDeleted?: () => void; onClose: () => void }

/** Confirms the deletion of a type. The server rejects it while tasks or types use the type; the message says how many. */
export function DeleteTypeDialog({ api, type, onDeleted, onClose }: Props) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => call(api.calls.delete, { params: { id: type.id }, ...api.limited() }),
    onSuccess: () => {
      toast.success(taskTypeMessages.task_type_deleted)
      onDeleted?.()
    },
    onError: (error) => toast.error(api.labels.delete_failure(error)),
    onSettled: async () => {
      // so that the focus returns to a row that still exists
      await typesChanged(client)
      onClose()
    },
  })
  const { tasks_count, dependent_types_count } = type
  const in_the_way = [
    tasks_count > 0 && taskTypeMessages.type_has_tasks(tasks_count),
    dependent_types_count > 0 && taskTypeMessages.type_has_dependents(dependent_types_count),
  ].filter((reason) => reason !== false)
  return (
    <ConfirmDialog
      title={frameMessages.confirm_deletion}
      confirm="Delete"
      busy={remove.isPending}
      blocked={in_the_way.length > 0}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{api.labels.confirm_delete(type.name)}</p>
      {in_the_way.map((reason) => (
        <p key={reason} className={classes.reason}>
          {reason}
        </p>
      ))}
    </ConfirmDialog>
  )
}
