import {
  Autocomplete,
  Checkbox,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { FormSection, LabelledField } from '../../../ui/form-section.tsx'
import { sourceTypes } from '../api.ts'
import { CronBuilder } from '../cron/cron-builder.tsx'
import { groupsOf } from '../list/type-filters.ts'
import { DependencySelector } from './dependency-selector.tsx'
import type { SourceValues } from './source-form.ts'

type Props = {
  form: UseFormReturnType<SourceValues>
  /** Errors by field, shown after the field was changed. */
  problems: Record<string, string>
  types: readonly TaskType[]
  type_id: number | undefined
}

const priorities = [
  { value: 'low', label: 'Low' },
  { value: 'medium', label: 'Medium' },
  { value: 'high', label: 'High' },
]

/** Fields of a source type in sections. */
export function SourceFields({ form, problems, types, type_id }: Props) {
  const groups = groupsOf(useQuery(sourceTypes.query).data ?? [])
  const errorOf = (name: keyof SourceValues) =>
    form.errors[name] ?? (form.isTouched(name) ? problems[name] : undefined)
  const field = (name: keyof SourceValues) => ({ ...form.getInputProps(name), error: errorOf(name) })
  const scheduled = form.values.is_scheduled
  return (
    <>
      <FormSection title="Basic Information">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <TextInput label="Name" withAsterisk {...field('name')} />
          <Autocomplete label="Group Name" data={groups} limit={50} {...field('group_name')} />
        </SimpleGrid>
        <LabelledField label="Priority">
          {(id) => (
            <SegmentedControl aria-labelledby={id} data={priorities} {...form.getInputProps('priority')} />
          )}
        </LabelledField>
        <Textarea label="Description" autosize minRows={2} maxRows={8} {...field('description')} />
        <Checkbox label="Active" {...form.getInputProps('is_active', { type: 'checkbox' })} />
      </FormSection>
      <FormSection title="Schedule Configuration">
        <Checkbox
          label={taskTypeMessages.enable_scheduling}
          checked={scheduled}
          onChange={(event) => {
            const on = event.currentTarget.checked
            form.setFieldValue('is_scheduled', on)
            if (!on) form.setFieldValue('cron_schedule', '')
          }}
        />
        {scheduled && (
          <CronBuilder
            {...field('cron_schedule')}
            value={form.values.cron_schedule}
            taskTypeId={type_id}
            autoValidate
          />
        )}
      </FormSection>
      <FormSection title="Dependencies">
        <DependencySelector
          value={form.values.dependencies}
          draft={form.values.draft}
          onDraft={(draft) => form.setFieldValue('draft', draft)}
          types={types}
          type_id={type_id}
          error={errorOf('dependencies')}
          onChange={(dependencies) => form.setFieldValue('dependencies', dependencies)}
        />
      </FormSection>
      <FormSection title="Execution Settings">
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <NumberInput
            label="Max Concurrent Tasks"
            allowDecimal={false}
            min={1}
            max={limits.form_concurrent_max}
            {...field('allowed_concurrent_tasks')}
          />
          <NumberInput
            label="Timeout (minutes)"
            description="Blank: no limit"
            allowDecimal={false}
            min={1}
            max={limits.timeout_minutes_max}
            {...field('timeout_minutes')}
          />
          <NumberInput
            label="Max Retries"
            allowDecimal={false}
            min={0}
            max={limits.form_retries_max}
            {...field('max_retries')}
          />
          <NumberInput
            label="Retry Delay (seconds)"
            allowDecimal={false}
            min={0}
            max={limits.retry_delay_seconds_max}
            {...field('retry_delay_seconds')}
          />
        </SimpleGrid>
      </FormSection>
    </>
  )
}
