import { Button, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errors } from '../../../../contract/errors.ts'
import { messages } from '../../../../contract/messages.ts'
import type { TaskType } from '../../../../contract/task-types.ts'
import { CallError, call } from '../../../lib/call.ts'
import { fieldErrors } from '../../../lib/form-errors.ts'
import { useFormSave } from '../../../lib/use-form-save.ts'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { toast } from '../../../ui/toast.ts'
import type { TypesApi } from '../api.ts'
import { newValues, ranges, TypeForm, type TypeValues, valuesOf } from './type-form.ts'

type Props = {
  api: TypesApi
  /** The type to edit; null adds one. */
  type: TaskType | null
  types: TaskType[]
  onClose: () => void
}

/** Adds or edits a task type. What was typed stays through a refused save. */
export function TypeDialog({ api, type, types, onClose }: Props) {
  const client = useQueryClient()
  // the version that the form started from; a newer one takes its place after a conflict
  const [base, setBase] = useState(type)
  const start = type ? valuesOf(type) : newValues(api.calls)
  const form = useForm<TypeValues>({ initialValues: start, validate: fieldErrors(TypeForm) })

  const add = async (values: TypeValues) => {
    await call(api.calls.create, { body: TypeForm.parse(values) })
    return 0
  }
  const edit = async ({ id, updated_at }: TaskType, values: TypeValues) => {
    const body = { ...TypeForm.parse(values), updated_at }
    return (await call(api.calls.update, { params: { id }, body })).updated_tasks_count
  }
  const readFresh = async (edited: TaskType) => {
    const now = await client.fetchQuery({ ...api.query, staleTime: 0 })
    const fresh = now.find(({ id }) => id === edited.id)
    if (!fresh) throw new CallError(404, errors.type_not_found.message)
    setBase(fresh)
    return { start: valuesOf(edited), fresh: valuesOf(fresh) }
  }
  const save = useFormSave({
    form,
    send: (values) => (base ? edit(base, values) : add(values)),
    onSaved: (updated_tasks_count) => {
      toast.success(base ? messages.task_type_updated : messages.task_type_created)
      if (updated_tasks_count > 0) toast.success(api.words.chunk_size_spread(updated_tasks_count))
      for (const query of api.touched) void client.invalidateQueries(query)
      onClose()
    },
    failure: api.words.save_failed,
    ...(base && { readFresh: () => readFresh(base) }),
  })
  const number = (name: keyof typeof ranges, label: string) => (
    <NumberInput label={label} allowDecimal={false} {...ranges[name]} {...form.getInputProps(name)} />
  )
  return (
    <FormDialog
      title={type ? api.words.edit : api.words.add}
      onClose={onClose}
      size="lg"
      dirty={form.isDirty()}
    >
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <TextInput label="Type Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
          {number('allowed_concurrent_tasks', 'Allowed Concurrent Tasks')}
          <Select
            label="Depends On"
            placeholder="None"
            searchable
            clearable
            clearButtonProps={{ 'aria-label': 'Depend on nothing' }}
            data={types
              .filter(({ id }) => id !== type?.id)
              .map(({ id, name }) => ({ value: String(id), label: name }))}
            {...form.getInputProps('depends_on_id')}
          />
          {number('queue_delay_seconds', 'Queue Delay (seconds)')}
          {number('max_retries', 'Max Retries')}
          {number('retry_delay_seconds', 'Retry Delay (seconds)')}
          {number('chunk_size', 'Chunk Size')}
        </SimpleGrid>
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending} disabled={save.problem !== null}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
