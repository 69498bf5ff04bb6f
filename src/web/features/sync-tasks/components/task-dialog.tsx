import { Alert, Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errors } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { messages } from '../../../../contract/messages.ts'
import { type SyncTask, syncTasks } from '../../../../contract/sync-tasks.ts'
import { CallError, call } from '../../../lib/call.ts'
import { fieldErrors, refusedFields } from '../../../lib/form-errors.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { keys, taskQuery, tasksQuery, typesQuery } from '../api.ts'
import { TaskFields } from './task-fields.tsx'
import {
  EditTaskForm,
  editBody,
  NewTaskForm,
  newValues,
  rebase,
  type TaskValues,
  valuesOf,
} from './task-form.ts'

type Props = {
  /** The task to edit; null adds one. */
  task: SyncTask | null
  chunkSize: number
  onSaved: () => void
  onClose: () => void
}

/** Adds or edits a sync task. What was typed stays through a refused save. */
export function TaskDialog({ task, chunkSize, onSaved, onClose }: Props) {
  const client = useQueryClient()
  const types = useQuery(typesQuery)
  const tasks = useQuery(tasksQuery).data ?? []
  // the version that the form started from; a newer one takes its place after a conflict
  const [base, setBase] = useState(task)
  const [notice, setNotice] = useState<string | null>(null)
  const only = types.data?.length === 1 ? String(types.data[0]?.id) : null
  const form = useForm<TaskValues>({
    initialValues: base ? valuesOf(base) : newValues(chunkSize, only),
    validate: fieldErrors(base ? EditTaskForm : NewTaskForm),
  })
  const focusFirst = (marked: object) => {
    const [field] = Object.keys(marked)
    if (field) form.getInputNode(field)?.focus()
  }

  const save = useMutation({
    mutationFn: (values: TaskValues) => {
      if (!base) return call(syncTasks.create, { body: NewTaskForm.parse(values) })
      const chunk_size = types.data?.find(({ id }) => String(id) === values.sync_task_type_id)?.chunk_size
      const edited = EditTaskForm.parse({ ...values, chunk_size: chunk_size ?? limits.chunk_size_default })
      const others = tasks.filter(
        ({ id, sync_task_type_id }) => id !== base.id && sync_task_type_id === edited.sync_task_type_id,
      )
      const body = editBody(base, edited, new Set(others.map(({ name }) => name)))
      return call(syncTasks.update, { params: { id: base.id }, body })
    },
    onSuccess: (saved) => {
      toast.success(base ? messages.sync_task_updated : messages.sync_task_added)
      void client.invalidateQueries({ queryKey: keys.list })
      void client.invalidateQueries({ queryKey: keys.task(saved.id) })
      onSaved()
    },
    onError: (error) => {
      if (!(error instanceof CallError)) return
      const marked = refusedFields(error, form.getValues())
      form.setErrors(marked)
      focusFirst(marked)
    },
  })

  const loadAgain = useMutation({
    mutationFn: ({ id }: SyncTask) => client.fetchQuery(taskQuery(id)),
    onSuccess: (fresh, stale) => {
      form.setValues(rebase(form.getValues(), valuesOf(stale), valuesOf(fresh)))
      setBase(fresh)
      save.reset()
      setNotice(messages.loaded_again)
    },
    onError: (error) => toast.error(reasonOf(error, messages.fetch_sync_task_failed)),
  })

  const marked = Object.keys(form.errors).length
  const stale = save.error instanceof CallError && save.error.message === errors.stale_update.message
  const refusal = save.error
    ? reasonOf(save.error, base ? messages.update_sync_task_failed : messages.add_sync_task_failed)
    : null
  const problem = refusal ?? (marked > 0 ? messages.check_fields(marked) : null)
  return (
    <Dialog title={base ? 'Edit Sync Task' : 'Add Sync Task'} onClose={onClose} size="lg" form>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => save.mutate(values), focusFirst)}
        onChange={() => save.isError && !stale && save.reset()}
      >
        {problem && (
          <Alert role="alert" color="red" icon={<IconAlertCircle />} mb={14}>
            {problem}
            {stale && base && (
              <Button size="compact-sm" variant="default" ml={10} onClick={() => loadAgain.mutate(base)}>
                Load again
              </Button>
            )}
          </Alert>
        )}
        {notice && !problem && (
          <Alert role="status" color="indigo" icon={<IconInfoCircle />} mb={14}>
            {notice}
          </Alert>
        )}
        <TaskFields form={form} types={types.data ?? []} editing={base !== null} />
        <DialogFooter>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            {base ? 'Save' : 'Add task'}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
