import { Button, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { taskTypeMessages } from '../../../../contract/task-types/client-messages.ts'
import { call } from '../../../lib/call.ts'
import { ReadyByBar } from '../../../tasks/ready-by/ready-by-bar.tsx'
import { TypeChanges } from '../../../tasks/setting-changes/type-changes.tsx'
import { DialogFooter } from '../../../ui/dialog.tsx'
import { CancelButton, FormDialog } from '../../../ui/form-dialog.tsx'
import { FormNotice } from '../../../ui/form-notice.tsx'
import { allTypesQuery, type CategoryApi } from '../api.ts'
import { CronBuilder } from '../cron/cron-builder.tsx'
import { useCronError } from '../cron/cron-check.ts'
import { DependsOnField } from './depends-on-field.tsx'
import { NumberFields } from './number-fields.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import {
  dialogLabels,
  newValues,
  overSettings,
  problemsOf,
  TypeForm,
  type TypeValues,
  valuesOf,
} from './type-form.ts'
import { useTypeSave } from './use-type-save.ts'

type Props = {
  api: CategoryApi
  /** The type to edit; null adds one. */
  type: TaskType | null
  onClose: () => void
}

/** Adds or edits a type of one category. Input is kept if the save is rejected. */
export function TypeDialog({ api, type, onClose }: Props) {
  const types = useQuery(allTypesQuery()).data ?? []
  const scheduled = !type && api.added.cron_schedule !== undefined
  const withCron = (values: TypeValues) => ({ ...values, cron_schedule: api.added.cron_schedule ?? '' })
  const form = useForm<TypeValues & { cron_schedule: string }>({
    initialValues: withCron(type ? valuesOf(type) : newValues(api.calls)),
    validate: (values) => problemsOf(values, types, type?.id, api.labels.circular),
  })
  const save = useTypeSave({
    api,
    type,
    form,
    labels: dialogLabels,
    valuesOf: (of) => withCron(valuesOf(of)),
    create: (values, gone) =>
      call(api.calls.create, {
        body: {
          ...overSettings(gone, TypeForm.parse(values)),
          ...(scheduled && { cron_schedule: values.cron_schedule }),
        },
        ...api.limited(),
      }),
    changesOf: (values) => TypeForm.parse(values),
    onSaved: onClose,
  })
  const [first, ...others] = api.numbers
  const refusal = useCronError(scheduled ? form.values.cron_schedule : '', undefined)
  return (
    <FormDialog
      title={type ? api.labels.edit : api.labels.add}
      onClose={onClose}
      size="lg"
      dirty={form.isDirty()}
    >
      {type && <ReadyByBar subject={{ kind: 'type', id: type.id, name: type.name }} />}
      {save.base && <TypeChanges type={save.base} revert={save.revert} />}
      <form {...save.formProps}>
        <FormNotice {...save.noticeProps} />
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
          <TextInput label="Type Name" withAsterisk data-autofocus {...form.getInputProps('name')} />
          {first && <NumberFields form={form} numbers={[first]} />}
          <DependsOnField
            types={types}
            type_id={type?.id}
            description={taskTypeMessages.depends_on_hint}
            {...form.getInputProps('depends_on_id')}
          />
          <NumberFields form={form} numbers={others} />
        </SimpleGrid>
        {scheduled && (
          <ScheduleSection>
            <CronBuilder
              {...form.getInputProps('cron_schedule')}
              value={form.values.cron_schedule}
              autoValidate
            />
          </ScheduleSection>
        )}
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
