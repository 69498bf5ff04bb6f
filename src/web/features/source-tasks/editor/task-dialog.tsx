import { Button } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { limits } from '../../../../contract/limits.ts'
import type { SourceTask } from '../../../../contract/source-tasks/calls.ts'
import { sourceMessages } from '../../../../contract/source-tasks/client-messages.ts'
import { decidingSourceFields } from '../../../../contract/source-tasks/edits.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useSession } from '../../../lib/session.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { keysOf } from '../../../tasks/cache/keys.ts'
import { taskQuery } from '../../../tasks/cache/task-queries.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { accountAfterSave } from '../../../tasks/google/accounts.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import { createTask, typesQuery, updateTask } from '../components/dialog-calls.ts'
import { sourceTaskModel } from '../components/model.ts'
import { TaskFields } from './task-fields.tsx'
import { editBody, formErrors, newBody, newValues, type TaskValues, valuesOf } from './task-form.ts'

const keys = keysOf(sourceTaskModel)

type Props = {
  /** The task to edit; null adds one. */
  task: SourceTask | null
  /** What is known of a new one. */
  known?: Partial<TaskValues> | null
  onSaved: (saved: SourceTask) => void
  onClose: () => void
}

/** Adds or edits a source task. What was typed stays through a refused save. */
export function TaskDialog({ task, known = null, onSaved, onClose }: Props) {
  const client = useQueryClient()
  const types = useQuery(typesQuery).data ?? []
  // the version that the form started from; a newer one takes its place after a conflict
  const [base, setBase] = useState(task)
  const own_id = useSession()?.user?.id ?? null
  const start = base && valuesOf(base)
  const form = useForm<TaskValues>({
    initialValues: start ?? { ...newValues, ...known },
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
      toast.success(base ? sourceMessages.updated : sourceMessages.created)
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
