import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldMessages } from '../../../../contract/field-messages.ts'
import { limits } from '../../../../contract/limits.ts'
import { type SyncTask, syncTasks } from '../../../../contract/sync-tasks/calls.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { decidingFields } from '../../../../contract/sync-tasks/edits.ts'
import { call } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { useSession } from '../../../lib/session.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import { taskQuery } from '../../../tasks/cache/task-queries.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { accountAfterSave } from '../../../tasks/google/accounts.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { readinessQuery } from '../api.ts'
import { typesQuery } from './choices.ts'
import { conflictMessage } from './conflict-message.ts'
import { demoValues } from './demo-task.ts'
import { syncTaskModel } from './model.ts'
import { TaskFields } from './task-fields.tsx'
import { EditTaskForm, editBody, NewTaskForm, newValues, type TaskValues, valuesOf } from './task-form.ts'

const keys = keysOf(syncTaskModel)

type Props = {
  /** The task to edit; null adds one. */
  task: SyncTask | null
  chunkSize: number
  /** Type of the demo task, which a new task then starts from. */
  demoType?: number | null
  onSaved: (saved: SyncTask) => void
  onClose: () => void
}

/** Adds or edits a sync task. What was typed stays through a refused save. */
export function TaskDialog({ task, chunkSize, demoType = null, onSaved, onClose }: Props) {
  const client = useQueryClient()
  const types = useQuery(typesQuery).data ?? []
  // it may load after the form is there
  const [first, second] = types
  const only = first && !second ? String(first.id) : null
  const tasks = useQuery(tasksQuery(syncTaskModel)).data ?? []
  // the version that the form started from; a newer one takes its place after a conflict
  const [base, setBase] = useState(task)
  const [pendingTime, setPendingTime] = useState<'typed' | 'invalid' | null>(null)
  const own_id = useSession()?.user?.id ?? null
  const former = base && { account: base.account, values: valuesOf(base) }
  const start = demoType === null ? newValues(chunkSize) : demoValues(demoType, chunkSize)
  const withType = (values: TaskValues) => ({
    ...values,
    sync_task_type_id: values.sync_task_type_id ?? only,
  })
  const form = useForm<TaskValues>({
    initialValues: task ? valuesOf(task) : start,
    validate: (values) => ({
      ...fieldErrors(task ? EditTaskForm : NewTaskForm)(withType(values)),
      ...(pendingTime === 'invalid' && { scheduled_times: fieldMessages.time_invalid }),
    }),
  })

  const add = (values: TaskValues) => call(syncTasks.create, { body: NewTaskForm.parse(withType(values)) })
  const edit = (edited: SyncTask, values: TaskValues) => {
    const type = types.find(({ id }) => String(id) === values.sync_task_type_id)
    const parsed = EditTaskForm.parse({
      ...values,
      chunk_size: type?.chunk_size ?? limits.chunk_size_default,
    })
    const others = tasks.filter(
      ({ id, sync_task_type_id }) => id !== edited.id && sync_task_type_id === parsed.sync_task_type_id,
    )
    const body = editBody(edited, parsed, new Set(others.map(({ name }) => name)))
    return call(syncTasks.update, { params: { id: edited.id }, body })
  }
  const readFresh = async (edited: SyncTask) => {
    const fresh = await client.fetchQuery(taskQuery(syncTaskModel, edited.id))
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const save = useFormSave({
    form,
    send: (values) => (base ? edit(base, values) : add(values)),
    onSaved: (saved) => {
      toast.success(base ? syncTaskMessages.sync_task_updated : syncTaskMessages.sync_task_added)
      for (const warning of saved.warnings) toast.warning(warning, limits.error_toast_ms)
      void client.invalidateQueries({ queryKey: keys.list })
      void client.invalidateQueries({ queryKey: keys.task(saved.id) })
      // it was about the source that the task had
      void client.resetQueries({ queryKey: readinessQuery(saved.id).queryKey })
      onSaved(saved)
    },
    labels: conflictMessage,
    failure: base ? syncTaskMessages.update_sync_task_failed : syncTaskMessages.add_sync_task_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  return (
    <FormDialog
      title={base ? 'Edit Sync Task' : 'Add Sync Task'}
      onClose={onClose}
      size="lg"
      dirty={form.isDirty() || pendingTime !== null}
    >
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TaskFields
          form={form}
          types={types}
          onlyType={only}
          editing={base !== null}
          onPendingTime={setPendingTime}
        />
        <DialogFooter>
          <p role="status" className={classes.account}>
            {accountAfterSave(former, form.values, decidingFields, own_id)}
          </p>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            {base ? 'Save' : 'Add task'}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
