import type { UseFormReturnType } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messages } from '../../../../contract/screen-messages.ts'
import type { TaskType, TaskTypeCalls } from '../../../../contract/task-types.ts'
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
  create: (values: Values) => Promise<unknown>
  changesOf: (values: Values, base: TaskType) => Change
  onSaved: (updated_tasks_count: number) => void
}

/** Saves a form of a type, whichever form it is; what was typed stays through a refusal, and goes on top of a newer version. */
export function useTypeSave<Values extends object>(options: Options<Values>) {
  const { api, form, valuesOf, create, changesOf, onSaved } = options
  const client = useQueryClient()
  // the version that the form started from; a newer one takes its place after a conflict
  const [base, setBase] = useState(options.type)
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
  const { save_failed, save_failed_beside } = api.words
  return {
    base,
    ...useFormSave({
      form,
      send: async (values: Values) => {
        try {
          if (base) return await update(base, values)
          await create(values)
          return 0
        } catch (error) {
          if (save_failed_beside && reasonOf(error, '') === '') toast.error(save_failed_beside(base === null))
          throw error
        }
      },
      onSaved: (updated_tasks_count) => {
        toast.success(base ? messages.task_type_updated : messages.task_type_created)
        if (updated_tasks_count > 0) toast.success(messages.chunk_size_spread(updated_tasks_count))
        void typesChanged(client)
        onSaved(updated_tasks_count)
      },
      failure: save_failed,
      ...(base && { readFresh: () => readFresh(base) }),
    }),
  }
}
