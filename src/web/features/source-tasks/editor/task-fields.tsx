import { Checkbox, Group, NumberInput, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { sourceDialogMessages } from '../../../../contract/source-tasks/dialog-messages.ts'

import { OriginType } from '../../../../contract/source-tasks/edits.ts'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { AccountsField } from '../../../tasks/google/accounts-field.tsx'
import { OwnerField } from '../../../tasks/ownership/owner-field.tsx'
import { TagsField } from '../../../tasks/ownership/tags-field.tsx'
import { originNames } from '../components/labels.ts'
import { sourceTaskModel } from '../components/model.ts'
import { OriginFields } from './origin-fields.tsx'
import { type TaskValues, withOrigin, withType } from './task-form.ts'

type Props = {
  form: UseFormReturnType<TaskValues>
  types: readonly TaskType[]
  /** Id of the edited task; null for a new one. */
  task_id: number | null
}

/** Fields of a source task, in two columns on wide screens. */
export function TaskFields({ form, types, task_id }: Props) {
  const { values } = form
  const tasks = useQuery(tasksQuery(sourceTaskModel)).data ?? []
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
        // Enter on the selected type does not clear it.
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
      <OwnerField {...form.getInputProps('owner_id')} value={values.owner_id} />
      <TagsField tasks={tasks} {...form.getInputProps('tags')} value={values.tags} />
      {values.source_type === 'sheet' && !isFilePath(values.spreadsheet_id) && (
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
