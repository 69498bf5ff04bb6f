import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type TaskType, type TaskTypeCalls, unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { rebase } from '../../../lib/rebase.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import type { Revert } from '../../../tasks/setting-changes/revert-dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { type TypesApi, typesChanged } from '../api.ts'

/** Body of an update. */
export type Change = RequestOf<TaskTypeCalls['update']>['body']

type Options<Values> = {
  api: TypesApi
  /** The type to edit; null adds one. */
  type: TaskType | null
  form: UseFormReturnType<Values>
  /** Form values of a type. */
  valuesOf: (type: TaskType) => Values
  /** `gone`: the edited type if it was deleted during the edit, and is recreated. */
  create: (values: Values, gone: TaskType | null) => Promise<unknown>
  changesOf: (values: Values, base: TaskType) => Change
  onSaved: (updated_tasks_count: number) => void
  /** Labels of the form by field. */
  labels: Readonly<Record<string, string>>
}

/** Settings of a type without its identity (id, name, times). */
export function settingsOf(type: TaskType) {
  const { id, created_at, updated_at, ...settings } = type
  return settings
}

/** Replaces field names in a server message by the labels of the form. */
const asFormLabels = (labels: Readonly<Record<string, string>>) => (text: string) =>
  text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => labels[word] ?? word)

/** Saves the form of a type. Input is kept if the save is rejected; after a conflict it is applied to the newer version. */
export function useTypeSave<Values extends object>(options: Options<Values>) {
  const { api, form, valuesOf, create, changesOf, onSaved, labels } = options
  const client = useQueryClient()
  // the version that the form is based on; after a conflict, the newer version
  const [base, setBase] = useState(options.type)
  const [gone, setGone] = useState<TaskType | null>(null)
  const update = async (edited: TaskType, values: Values) => {
    const body = { ...changesOf(values, edited), updated_at: edited.updated_at }
    const { id } = edited
    return (await call(api.calls.update, { params: { id }, body, ...api.limited() })).updated_tasks_count
  }
  const readFresh = async (edited: TaskType) => {
    const fresh = await call(api.calls.get, { params: { id: edited.id }, ...api.limited() })
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const afterUpdate = (updated_tasks_count: number) => {
    if (updated_tasks_count > 0) toast.success(taskTypeMessages.chunk_size_spread(updated_tasks_count))
    void typesChanged(client)
  }
  // Input that is not saved stays in the form. The server compares the settings in question, so a change of others is no conflict.
  const revert: Revert = async ({ change_id, overwrite }) => {
    if (!base) return
    const body = { change_id, overwrite }
    const fresh = await call(unifiedTaskTypes.revert, { params: { id: base.id }, body })
    const values = rebase(form.getValues(), valuesOf(base), valuesOf(fresh))
    form.setInitialValues(valuesOf(fresh))
    form.setValues(values)
    setBase(fresh)
    afterUpdate(fresh.updated_tasks_count)
  }
  const { save_failed, save_failed_beside } = api.labels
  const save = useFormSave({
    form,
    send: async (values: Values) => {
      try {
        if (base) return await update(base, values)
        await create(values, gone)
        return 0
      } catch (error) {
        if (save_failed_beside && reasonOf(error, '') === '') toast.error(save_failed_beside(base === null))
        throw error
      }
    },
    onSaved: (updated_tasks_count) => {
      toast.success(base ? taskTypeMessages.task_type_updated : taskTypeMessages.task_type_created)
      afterUpdate(updated_tasks_count)
      onSaved(updated_tasks_count)
    },
    failure: save_failed,
    labels: asFormLabels(labels),
    ...(base && { readFresh: () => readFresh(base) }),
  })
  const is_gone = base !== null && save.code === 'type_not_found'
  const saveAsNew = () => {
    setGone(base)
    setBase(null)
    save.reset()
  }
  return {
    base,
    revert,
    ...save,
    noticeProps: {
      ...save.noticeProps,
      problem: is_gone ? taskTypeMessages.type_deleted_meanwhile : save.noticeProps.problem,
      notice: gone && base === null ? taskTypeMessages.saves_as_new : save.noticeProps.notice,
      onSaveAsNew: is_gone ? saveAsNew : null,
    },
  }
}
