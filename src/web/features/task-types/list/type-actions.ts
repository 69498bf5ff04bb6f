import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sourceTaskTypes, type TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { errorFieldOf } from '../../../lib/query-client.ts'
import { toast } from '../../../ui/toast.ts'
import { sourceTypes, typesChanged } from '../api.ts'
import { copyName } from './copy-name.ts'

/** Body of a copy: all settings, a new name, inactive, without id and times. */
function copyOf(type: TaskType, taken: ReadonlySet<string>) {
  const { id, created_at, updated_at, ...settings } = type
  return { ...settings, name: copyName(type.name, taken), is_active: false }
}

/** Creates an inactive copy of a source type and passes it to `onCopied`. Concurrent copies get different names. */
export function useDuplicate(onCopied: (copy: TaskType) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (type: TaskType) => {
      const types = await client.fetchQuery({ ...sourceTypes.query, staleTime: 0 })
      const taken = new Set(types.map(({ name }) => name))
      return call(sourceTaskTypes.create, { body: copyOf(type, taken) })
    },
    onSuccess: (copy) => {
      toast.success(taskTypeMessages.task_type_created)
      onCopied(copy)
      return typesChanged(client)
    },
    onError: (error) => toast.error(errorFieldOf(error, taskTypeMessages.duplicate_source_task_type_failed)),
  })
}

/** Activates or deactivates a source type. */
export function useToggleType() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id, is_active }: TaskType) =>
      call(sourceTaskTypes.update, { params: { id }, body: { is_active: !is_active } }),
    onSuccess: ({ name, is_active }) => {
      toast.success(
        is_active ? taskTypeMessages.type_activated(name) : taskTypeMessages.type_deactivated(name),
      )
      return typesChanged(client)
    },
    onError: (error) => toast.error(errorFieldOf(error, taskTypeMessages.update_source_task_type_failed)),
  })
}
