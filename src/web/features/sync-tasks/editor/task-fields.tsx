import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { type ComponentProps, lazy, Suspense } from 'react'
import { isDelimited, isFilePath } from '../../../../contract/files/providers.ts'
import { limits } from '../../../../contract/limits.ts'
import { spreadsheetMessages } from '../../../../contract/spreadsheets/client-messages.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'

import type { TaskType } from '../../../../contract/task-types/calls.ts'
import { useTimeZone } from '../../../lib/session.ts'
import { zoneLabel } from '../../../lib/time-zone.ts'
import { tasksQuery } from '../../../tasks/cache/list-queries.ts'
import classes from '../../../tasks/edit/task-fields.module.css'
import { AccountsField } from '../../../tasks/google/accounts-field.tsx'
import { SpreadsheetField } from '../../../tasks/google/spreadsheet-field.tsx'
import { TabField } from '../../../tasks/google/tab-field.tsx'
import { OwnerField } from '../../../tasks/ownership/owner-field.tsx'
import { TagsField } from '../../../tasks/ownership/tags-field.tsx'
import { TimesField } from '../../../ui/times-field.tsx'
import { presetsQuery } from '../components/choices.ts'
import { syncTaskModel } from '../components/model.ts'
import { WriteSection } from '../write/write-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { RowsSection } from './rows-section.tsx'
import { SourceFields } from './source-fields.tsx'
import { TargetNotice } from './target-notice.tsx'
import type { TaskValues } from './task-form.ts'

const CsvSourceFields = lazy(async () => ({
  default: (await import('./csv-source-fields.tsx')).CsvSourceFields,
}))

const CsvTargetFields = lazy(async () => ({
  default: (await import('./csv-target-fields.tsx')).CsvTargetFields,
}))

/** Whether a source is a CSV file. */
const readsCsv = ({ source_type, source_ss_id, more_sources }: TaskValues) =>
  [{ source_type, source_ss_id }, ...more_sources].some(
    (one) => one.source_type === 'sheet' && isFilePath(one.source_ss_id) && isDelimited(one.source_ss_id),
  )

type Props = {
  form: UseFormReturnType<TaskValues>
  types: TaskType[]
  /** Id of the only type; null if there is a choice. */
  onlyType: string | null
  editing: boolean
  isAboutLimits: boolean
  hasOnlyWarned: boolean
  /** Called with the state of the text in the times field that is not a time yet. */
  onPendingTime: ComponentProps<typeof TimesField>['onPending']
}

const options = (items: { id: number; name: string }[]) =>
  items.map(({ id, name }) => ({ value: String(id), label: name }))

/** Fields of a sync task, in two columns on wide screens. */
export function TaskFields({
  form,
  types,
  onlyType,
  editing,
  isAboutLimits,
  hasOnlyWarned,
  onPendingTime,
}: Props) {
  const zone = zoneLabel(useTimeZone())
  const presets = useQuery(presetsQuery).data ?? []
  const tasks = useQuery(tasksQuery(syncTaskModel)).data ?? []
  const { values } = form
  const type_id = values.sync_task_type_id ?? onlyType
  const type = types.find(({ id }) => String(id) === type_id)
  const limitsSection = <LimitsSection form={form} isOpen={isAboutLimits} />
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
      {isAboutLimits && limitsSection}
      <Select
        label="Task type"
        data-autofocus={!editing || undefined}
        withAsterisk
        searchable
        // Enter on the selected type does not clear it.
        allowDeselect={false}
        placeholder="Choose a task type"
        data={options(types)}
        {...form.getInputProps('sync_task_type_id')}
        value={type_id}
      />
      <TextInput
        label="Name"
        data-autofocus={(editing && !isAboutLimits) || undefined}
        withAsterisk={!editing}
        placeholder={editing ? 'Blank: as its sheet' : undefined}
        {...form.getInputProps('name')}
      />
      <SourceFields form={form} />
      {readsCsv(values) && (
        <Suspense>
          <CsvSourceFields form={form} />
        </Suspense>
      )}
      <SpreadsheetField
        label="Target spreadsheet"
        purpose="target"
        {...form.getInputProps('target_ss_id')}
        value={values.target_ss_id}
      />
      <TabField
        label="Target sheet name"
        purpose="target"
        required
        spreadsheet={values.target_ss_id}
        unknown={spreadsheetMessages.tab_new}
        known={<TargetNotice form={form} editing={editing} />}
        {...form.getInputProps('target_sheet_name')}
        value={values.target_sheet_name}
      />
      {isFilePath(values.target_ss_id) && isDelimited(values.target_ss_id) && (
        <Suspense>
          <CsvTargetFields form={form} />
        </Suspense>
      )}
      <div className={`${classes.wide} ${classes.group}`}>
        <WriteSection form={form} hasOnlyWarned={hasOnlyWarned} />
      </div>
      <div className={classes.wide}>
        <TimesField
          label="Scheduled times"
          description={syncTaskMessages.runs_daily(values.scheduled_times, zone)}
          onPending={onPendingTime}
          {...form.getInputProps('scheduled_times')}
          value={values.scheduled_times}
        />
      </div>
      <NumberInput
        label="Start row"
        description="The header row, in source and target alike"
        min={1}
        max={limits.start_row_max}
        allowDecimal={false}
        {...form.getInputProps('start_row')}
      />
      {editing ? (
        <NumberInput
          label="Chunk size"
          description="Rows per batch; set by the task type"
          readOnly
          hideControls
          value={type?.chunk_size ?? limits.chunk_size_default}
        />
      ) : (
        <NumberInput
          label="Chunk size"
          description="Rows per batch"
          min={1}
          max={limits.chunk_size_max}
          allowDecimal={false}
          {...form.getInputProps('chunk_size')}
        />
      )}
      {presets.length > 0 && (
        <Select
          className={classes.wide}
          label="Sync preset"
          description="Columns to skip"
          placeholder="None"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear preset' }}
          data={options(presets)}
          {...form.getInputProps('sync_preset_id')}
        />
      )}
      <div className={classes.wide}>
        <RowsSection form={form} />
      </div>
      <OwnerField {...form.getInputProps('owner_id')} value={values.owner_id} />
      <TagsField tasks={tasks} {...form.getInputProps('tags')} value={values.tags} />
      <AccountsField
        className={classes.wide}
        {...form.getInputProps('relevant_user_accounts')}
        value={values.relevant_user_accounts}
      />
      {!isAboutLimits && limitsSection}
    </SimpleGrid>
  )
}
