import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { decidingSourceFields } from '../../../../contract/source-tasks/edits.ts'
import { reasonOf } from '../../../lib/query-client.ts'
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
import { createTask, typesQuery, updateTask } from '../components/dialog-calls.ts'
import { sourceTaskModel } from '../components/model.ts'
import { TaskFields } from './task-fields.tsx'
import {
  copyValues,
  editBody,
  formErrors,
  newBody,
  newValues,
  type TaskValues,
  valuesOf,
} from './task-form.ts'

const keys = keysOf(sourceTaskModel)

type Props = {
  /** The task to edit; null adds one. */
  task: SourceTask | null
  /** Initial values of a new task. */
  known?: Partial<TaskValues> | null
  /** Task of which the new one is a copy. */
  original?: SourceTask | null
  onSaved: (saved: SourceTask) => void
  onClose: () => void
}

/** Adds or edits a source task. Input is preserved when a save fails. */
export function TaskDialog({ task, known = null, original = null, onSaved, onClose }: Props) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const types = useQuery(typesQuery).data ?? []
  // The version the form is based on; replaced by the newer one after a conflict.
  const [base, setBase] = useState(task)
  const own_id = useSession()?.user?.id ?? null
  const start = base && valuesOf(base)
  const section = useQuery(tasksQuery(sourceTaskModel)).data?.filter(
    ({ source_task_type_id }) => source_task_type_id === original?.source_task_type_id,
  )
  const names = new Set(section?.map(({ name }) => name))
  const form = useForm<TaskValues>({
    initialValues:
      start ?? (original ? copyValues(original, names) : { ...newValues, ...newOwnership(own_id), ...known }),
    validate: (values) => formErrors(start, values),
  })
  const readFresh = async (edited: SourceTask) => {
    const fresh = await client.fetchQuery(taskQuery(sourceTaskModel, edited.id))
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const send = async (values: TaskValues) => {
    try {
      return await (base ? updateTask(base.id, editBody(base, values)) : createTask(newBody(values)))
    } catch (error) {
      toast.error(reasonOf(error, sourceMessages.save_failed))
      throw error
    }
  }
  const save = useFormSave({
    form,
    send,
    onSaved: (saved) => {
      if (base) toast.success(sourceMessages.updated)
      else void showAddedToast(descriptor, saved, sourceMessages.created)
      for (const warning of saved.warnings) toast.warning(warning, limits.error_toast_ms)
      void client.invalidateQueries({ queryKey: keys.list })
      void client.invalidateQueries({ queryKey: keys.task(saved.id) })
      onSaved(saved)
    },
    failure: sourceMessages.save_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  const former = base && start && { account: base.account, values: start }
  return (
    <FormDialog
      title={base ? 'Edit Source Task' : 'Add Source Task'}
      onClose={onClose}
      size="lg"
      dirty={form.isDirty()}
    >
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <TaskFields form={form} types={types} task_id={base?.id ?? null} />
        <DialogFooter>
          <p role="status" className={classes.account}>
            {form.values.source_type === 'sheet' &&
              !isFilePath(form.values.spreadsheet_id) &&
              accountAfterSave(former, form.values, decidingSourceFields, own_id)}
          </p>
          <CancelButton />
          <Button type="submit" loading={save.pending}>
            {base ? 'Save' : 'Add Source Task'}
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
