import { Checkbox, Group, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { limits } from '../../../../contract/limits.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'

import { OriginType } from '../../../../contract/source-tasks/edits.ts'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { AccountsField } from '../../../tasks/google/accounts-field.tsx'
import { originNames } from '../components/labels.ts'
import { OriginFields } from './origin-fields.tsx'
import { type TaskValues, withOrigin, withType } from './task-form.ts'

type Props = {
  form: UseFormReturnType<TaskValues>
  types: readonly TaskType[]
  /** Of the task that is edited; null: it is new. */
  task_id: number | null
}

/** The fields of a source task, two beside each other where there is room. */
export function TaskFields({ form, types, task_id }: Props) {
  const { values } = form
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
      <TextInput
        className={classes.wide}
        label="Name"
        data-autofocus
        withAsterisk
        {...form.getInputProps('name')}
      />
      <Select
        label="Type"
        withAsterisk
        searchable
        // Enter on the type that is chosen already keeps it
        allowDeselect={false}
        placeholder="Choose a task type"
        data={types.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('source_task_type_id')}
        onChange={(chosen) => {
          form.clearFieldError('source_task_type_id')
          form.setValues(withType(values, chosen, types))
        }}
      />
      <Select
        label="Source Type"
        withAsterisk
        allowDeselect={false}
        placeholder="Where the rows come from"
        data={OriginType.options.map((value) => ({ value, label: originNames[value] }))}
        {...form.getInputProps('source_type')}
        onChange={(chosen) => {
          const origin = OriginType.safeParse(chosen).data
          if (!origin) return
          for (const field of [
            'source_type',
            'source_identifier',
            'spreadsheet_id',
            'sheet_name',
            'start_row',
          ])
            form.clearFieldError(field)
          form.setValues(withOrigin(values, origin))
        }}
      />
      <OriginFields form={form} className={classes.wide} task_id={task_id} />
      <NumberInput
        className={classes.wide}
        label="Chunk Size"
        withAsterisk
        description={sourceDialogMessages.chunk_size_hint}
        min={1}
        max={limits.chunk_size_max}
        allowDecimal={false}
        {...form.getInputProps('chunk_size')}
      />
      <NumberInput
        label="Minimum rows (% of last run)"
        description={sourceDialogMessages.min_rows_hint}
        suffix=" %"
        min={0}
        max={100}
        allowDecimal={false}
        {...form.getInputProps('min_rows_percent')}
      />
      <NumberInput
        label="Maximum rows"
        description={sourceDialogMessages.max_rows_hint}
        thousandSeparator=","
        min={1}
        max={limits.source_rows_max}
        allowDecimal={false}
        {...form.getInputProps('max_rows')}
      />
      <Textarea
        className={classes.wide}
        label="Description"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps('description')}
      />
      {values.source_type === 'sheet' && (
        <AccountsField
          className={classes.wide}
          {...form.getInputProps('relevant_user_accounts')}
          value={values.relevant_user_accounts}
        />
      )}
      <Group className={classes.wide} gap={20}>
        <Checkbox label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
        <Checkbox label="Master catalog" {...form.getInputProps('is_master_catalog', { type: 'checkbox' })} />
      </Group>
    </SimpleGrid>
  )
}
