import { Input, SegmentedControl, Select } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { spreadsheetMessages } from '../../../../contract/spreadsheets/client-messages.ts'
import { syncTaskMessages } from '../../../../contract/sync-tasks/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import classes from '../../../tasks/edit/task-fields.module.css'
import { SpreadsheetField } from '../../../tasks/google/spreadsheet-field.tsx'
import { TabField } from '../../../tasks/google/tab-field.tsx'
import { configsQuery } from '../components/choices.ts'
import type { TaskValues } from './task-form.ts'

const kinds = [
  { value: 'sheet', label: taskMessages.sheet_or_file },
  { value: 'internal', label: taskMessages.internal_db },
]

type Props = { form: UseFormReturnType<TaskValues> }

/** Fields of the source: a sheet, or a compiler configuration. Input for the other type is preserved. */
export function SourceFields({ form }: Props) {
  const { values } = form
  const { value: kind, onChange } = form.getInputProps('source_type')
  return (
    <>
      <Input.Wrapper label="Source type" className={classes.wide} labelElement="div">
        <SegmentedControl fullWidth aria-label="Source type" data={kinds} value={kind} onChange={onChange} />
      </Input.Wrapper>
      {values.source_type === 'internal' ? (
        <ConfigField form={form} />
      ) : (
        <>
          <SpreadsheetField
            label="Source spreadsheet"
            {...form.getInputProps('source_ss_id')}
            value={values.source_ss_id}
          />
          <TabField
            label="Source sheet name"
            placeholder="First sheet"
            spreadsheet={values.source_ss_id}
            unknown={spreadsheetMessages.tab_unknown}
            {...form.getInputProps('source_sheet_name')}
            value={values.source_sheet_name}
          />
        </>
      )}
    </>
  )
}

function ConfigField({ form }: Props) {
  const { data } = useQuery(configsQuery(true))
  const chosen = form.values.source_compiler_config_id
  const configs = (data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  // The configuration has been deactivated since it was chosen.
  const missing = chosen !== null && data !== undefined && !configs.some(({ value }) => value === chosen)
  const resting = useQuery({ ...configsQuery(false), enabled: missing }).data ?? []
  const inactive = missing ? resting.filter(({ id }) => String(id) === chosen) : []
  return (
    <Select
      className={classes.wide}
      label="Compiler configuration"
      withAsterisk
      searchable
      placeholder={data?.length === 0 ? syncTaskMessages.no_active_configs : undefined}
      data={[
        ...configs,
        ...inactive.map(({ id, name }) => ({ value: String(id), label: taskMessages.config_resting(name) })),
      ]}
      {...form.getInputProps('source_compiler_config_id')}
    />
  )
}
