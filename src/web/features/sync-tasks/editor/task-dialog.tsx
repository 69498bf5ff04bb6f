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
import { showAddedToast } from '../../../tasks/actions/added-toast.tsx'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import { taskQuery } from '../../../tasks/cache/task-queries.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { accountAfterSave } from '../../../tasks/google/accounts.ts'
import { newOwnership } from '../../../tasks/ownership/ownership-form.ts'
import { useDescriptor } from '../../../tasks/task-descriptor.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { readinessQuery } from '../api.ts'
import { typesQuery } from '../components/choices.ts'
import { conflictMessage } from '../components/conflict-message.ts'
import { demoValues } from '../components/demo-task.ts'
import { syncTaskModel } from '../components/model.ts'
import { formField } from './limits-form.ts'
import { TaskFields } from './task-fields.tsx'
import {
  copyValues,
  EditTaskForm,
  editBody,
  NewTaskForm,
  newValues,
  type TaskValues,
  valuesOf,
} from './task-form.ts'

const keys = keysOf(syncTaskModel)

type Props = {
  /** The task to edit; null adds one. */
  task: SyncTask | null
  /** Task of which the new one is a copy. */
  original?: SyncTask | null
  chunkSize: number
  /** Type of the demo task, whose values a new task then starts with. */
  demoType?: number | null
  /** Its limits are shown at once. */
  isAboutLimits?: boolean
  /** Write mode that is chosen instead of the task's. */
  writeMode?: SyncTask['write_mode'] | undefined
  onSaved: (saved: SyncTask) => void
  onClose: () => void
}

/** Adds or edits a sync task. Input is preserved when a save fails. */
export function TaskDialog({
  task,
  original = null,
  chunkSize,
  demoType = null,
  isAboutLimits = false,
  writeMode,
  onSaved,
  onClose,
}: Props) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const types = useQuery(typesQuery).data ?? []
  // The types can load after the form is rendered.
  const [first, second] = types
  const only = first && !second ? String(first.id) : null
  const tasks = useQuery(tasksQuery(syncTaskModel)).data ?? []
  // The version the form is based on; replaced by the newer one after a conflict.
  const [base, setBase] = useState(task)
  const [pendingTime, setPendingTime] = useState<'typed' | 'invalid' | null>(null)
  const own_id = useSession()?.user?.id ?? null
  const former = base && { account: base.account, values: valuesOf(base) }
  const namesOfType = (type_id: number | undefined, except?: number) =>
    new Set(
      tasks
        .filter(({ id, sync_task_type_id }) => id !== except && sync_task_type_id === type_id)
        .map(({ name }) => name),
    )
  const added = demoType === null ? newValues(chunkSize) : demoValues(demoType, chunkSize)
  const start = original
    ? copyValues(original, namesOfType(original.sync_task_type_id))
    : { ...added, ...newOwnership(own_id) }
  const withType = (values: TaskValues) => ({
    ...values,
    sync_task_type_id: values.sync_task_type_id ?? only,
  })
  const form = useForm<TaskValues>({
    initialValues: task ? { ...valuesOf(task), ...(writeMode && { write_mode: writeMode }) } : start,
    validate: (values) => ({
      ...fieldErrors(task ? EditTaskForm : NewTaskForm)(withType(values)),
      ...(pendingTime === 'invalid' && { scheduled_times: fieldMessages.time_invalid }),
    }),
  })

  const add = (values: TaskValues) =>
    call(syncTasks.create, {
      body: { ...NewTaskForm.parse(withType(values)), is_active: original?.is_active ?? true },
    })
  const edit = (edited: SyncTask, values: TaskValues) => {
    const type = types.find(({ id }) => String(id) === values.sync_task_type_id)
    const parsed = EditTaskForm.parse({
      ...values,
      chunk_size: type?.chunk_size ?? limits.chunk_size_default,
    })
    const body = editBody(edited, parsed, namesOfType(parsed.sync_task_type_id, edited.id))
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
      if (base) toast.success(syncTaskMessages.sync_task_updated)
      else void showAddedToast(descriptor, saved, syncTaskMessages.sync_task_added)
      for (const warning of saved.warnings) toast.warning(warning, limits.error_toast_ms)
      void client.invalidateQueries({ queryKey: keys.list })
      void client.invalidateQueries({ queryKey: keys.task(saved.id) })
      // The result is about the previous source.
      void client.resetQueries({ queryKey: readinessQuery(saved.id).queryKey })
      onSaved(saved)
    },
    labels: conflictMessage,
    fieldOf: formField,
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
          isAboutLimits={isAboutLimits}
          hasOnlyWarned={base !== null && base.on_cells_beside === null}
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
