import { Button, Checkbox, Select, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type TaskType, unifiedTaskTypes } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { ReadyByBar } from '../../../tasks/ready-by/ready-by-bar.tsx'
import { TypeChanges } from '../../../tasks/setting-changes/type-changes.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { allTypesQuery, configsQuery, unifiedTypes } from '../api.ts'
import { DependsOnField } from '../components/depends-on-field.tsx'
import { NumberFields } from '../components/number-fields.tsx'
import { ScheduleSection } from '../components/schedule-section.tsx'
import { dialogLabels, overSettings } from '../components/type-form.ts'
import { useTypeSave } from '../components/use-type-save.ts'
import { CronBuilder } from '../cron/cron-builder.tsx'
import { useCronError } from '../cron/cron-check.ts'
import { categoryChoices } from './unified-filters.ts'
import {
  hasCron,
  newUnifiedValues,
  type UnifiedValues,
  unifiedBody,
  unifiedChanges,
  unifiedProblems,
  unifiedValuesOf,
} from './unified-form.ts'

type Props = {
  /** The type to edit; null adds one. */
  type: TaskType | null
  onClose: () => void
}

/** Adds or edits a type of any category. The category of an existing type cannot be changed. */
export function UnifiedDialog({ type, onClose }: Props) {
  const types = useQuery(allTypesQuery()).data ?? []
  const form = useForm<UnifiedValues>({
    initialValues: type ? unifiedValuesOf(type) : newUnifiedValues(),
    validate: (values) => unifiedProblems(values, types, type?.id),
  })
  const save = useTypeSave({
    api: unifiedTypes,
    type,
    form,
    valuesOf: unifiedValuesOf,
    labels: dialogLabels,
    create: (values, gone) =>
      call(unifiedTaskTypes.create, { body: overSettings(gone, unifiedBody(values)) }),
    changesOf: unifiedChanges,
    onSaved: onClose,
  })
  const category = form.values.task_category
  const compiles = category === 'compiler'
  const refusal = useCronError(hasCron(category) ? form.values.cron_schedule : '', type?.id)
  const configs = useQuery({ ...configsQuery, enabled: compiles }).data ?? []
  return (
    <FormDialog
      title={type ? taskTypeMessages.edit_task_type : taskTypeMessages.create_task_type}
      onClose={onClose}
      size="lg"
      dirty={form.isDirty()}
    >
      {type && <ReadyByBar subject={{ kind: 'type', id: type.id, name: type.name }} />}
      {save.base && <TypeChanges type={save.base} revert={save.revert} />}
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <TextInput label="Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
          <Select
            label="Category"
            withAsterisk
            placeholder="Choose a category"
            disabled={type !== null}
            data={categoryChoices}
            {...form.getInputProps('task_category')}
          />
        </SimpleGrid>
        <Textarea
          label="Description"
          autosize
          minRows={2}
          maxRows={8}
          my={14}
          {...form.getInputProps('description')}
        />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          {compiles && (
            <Select
              label="Compiler Config"
              withAsterisk
              searchable
              placeholder="Choose a configuration"
              limit={100}
              data={configs.map(({ id, name, is_active }) => ({
                value: String(id),
                label: is_active ? name : taskMessages.config_resting(name),
              }))}
              {...form.getInputProps('compiler_config_id')}
            />
          )}
          <DependsOnField types={types} type_id={type?.id} {...form.getInputProps('depends_on_id')} />
          <NumberFields
            form={form}
            numbers={[
              'allowed_concurrent_tasks',
              'queue_delay_seconds',
              'max_retries',
              'retry_delay_seconds',
            ]}
            required={['allowed_concurrent_tasks', 'max_retries']}
          />
        </SimpleGrid>
        {hasCron(category) && (
          <ScheduleSection>
            <CronBuilder
              {...form.getInputProps('cron_schedule')}
              value={form.values.cron_schedule}
              taskTypeId={type?.id}
              autoValidate
            />
          </ScheduleSection>
        )}
        <Checkbox label="Active" mt={14} {...form.getInputProps('is_active', { type: 'checkbox' })} />
        <DialogFooter>
          <CancelButton />
          <Button type="submit" loading={save.pending} disabled={save.problem !== null || refusal !== null}>
            Save
          </Button>
        </DialogFooter>
      </form>
    </FormDialog>
  )
}
