import { Alert, Button, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertCircle } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { messages } from '../../../../contract/messages.ts'
import { type SyncTaskType, syncTaskTypes } from '../../../../contract/task-types.ts'
import { CallError, call } from '../../../lib/call.ts'
import { fieldErrors, refusedFields } from '../../../lib/form-errors.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Dialog, DialogFooter } from '../../../ui/dialog.tsx'
import { toast } from '../../../ui/toast.ts'
import { touched } from '../api.ts'
import { ranges, TypeForm, type TypeValues, valuesOf } from './type-form.ts'

type Props = {
  /** The type to edit; null adds one. */
  type: SyncTaskType | null
  types: SyncTaskType[]
  onClose: () => void
}

/** Adds or edits a sync task type. What was typed stays through a refused save. */
export function TypeDialog({ type, types, onClose }: Props) {
  const client = useQueryClient()
  const form = useForm<TypeValues>({ initialValues: valuesOf(type), validate: fieldErrors(TypeForm) })
  const focusFirst = (marked: object) => {
    const [field] = Object.keys(marked)
    if (field) form.getInputNode(field)?.focus()
  }
  const save = useMutation({
    mutationFn: async (values: TypeValues) => {
      const body = TypeForm.parse(values)
      if (!type) {
        await call(syncTaskTypes.create, { body })
        return 0
      }
      const { updated_at, id } = type
      const saved = await call(syncTaskTypes.update, { params: { id }, body: { ...body, updated_at } })
      return saved.updated_tasks_count
    },
    onSuccess: (updated_tasks_count) => {
      toast.success(type ? messages.task_type_updated : messages.task_type_created)
      if (updated_tasks_count > 0) toast.success(messages.chunk_size_spread(updated_tasks_count))
      for (const query of touched) void client.invalidateQueries(query)
      onClose()
    },
    onError: (error) => {
      if (!(error instanceof CallError)) return
      const marked = refusedFields(error, form.getValues())
      form.setErrors(marked)
      focusFirst(marked)
    },
  })
  const marked = Object.keys(form.errors).length
  const refusal = save.error ? reasonOf(save.error, messages.save_sync_task_type_failed) : null
  const problem = refusal ?? (marked > 0 ? messages.check_fields(marked) : null)
  const number = (name: keyof typeof ranges, label: string) => (
    <NumberInput label={label} allowDecimal={false} {...ranges[name]} {...form.getInputProps(name)} />
  )
  return (
    <Dialog
      title={type ? messages.edit_sync_task_type : messages.add_sync_task_type}
      onClose={onClose}
      size="lg"
      form
    >
      <form
        noValidate
        onSubmit={form.onSubmit((values) => save.mutate(values), focusFirst)}
        onChange={() => save.isError && save.reset()}
      >
        {problem && (
          <Alert role="alert" color="red" icon={<IconAlertCircle />} mb={14}>
            {problem}
          </Alert>
        )}
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
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={problem !== null}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  )
}
