import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TaskType, TaskTypeCalls } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call, type RequestOf } from '../../../lib/call.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { toast } from '../../../ui/toast.ts'
import { type TypesApi, typesChanged } from '../api.ts'

/** What a change of a type may carry. */
export type Change = RequestOf<TaskTypeCalls['update']>['body']

type Options<Values> = {
  api: TypesApi
  /** The type to edit; null adds one. */
  type: TaskType | null
  form: UseFormReturnType<Values>
  /** A type as the form holds it. */
  valuesOf: (type: TaskType) => Values
  /** `gone`: the edited type, where it was deleted meanwhile and is added again. */
  create: (values: Values, gone: TaskType | null) => Promise<unknown>
  changesOf: (values: Values, base: TaskType) => Change
  onSaved: (updated_tasks_count: number) => void
  /** What the form calls the fields of a type. */
  labels: Readonly<Record<string, string>>
}

/** The settings of a type, without what belongs to that one type alone. */
export function settingsOf(type: TaskType) {
  const { id, created_at, updated_at, ...settings } = type
  return settings
}

/** A text of the server with the form's names for fields in place of those that calls have. */
const asFormLabels = (labels: Readonly<Record<string, string>>) => (text: string) =>
  text.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, (word) => labels[word] ?? word)

/** Saves a form of a type, whichever form it is; what was typed stays through a refusal, and goes on top of a newer version. */
export function useTypeSave<Values extends object>(options: Options<Values>) {
  const { api, form, valuesOf, create, changesOf, onSaved, labels } = options
  const client = useQueryClient()
  // the version that the form started from; a newer one takes its place after a conflict
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
      if (updated_tasks_count > 0) toast.success(taskTypeMessages.chunk_size_spread(updated_tasks_count))
      void typesChanged(client)
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
    ...save,
    noticeProps: {
      ...save.noticeProps,
      problem: is_gone ? taskTypeMessages.type_deleted_meanwhile : save.noticeProps.problem,
      notice: gone && base === null ? taskTypeMessages.saves_as_new : save.noticeProps.notice,
      onSaveAsNew: is_gone ? saveAsNew : null,
    },
  }
}
