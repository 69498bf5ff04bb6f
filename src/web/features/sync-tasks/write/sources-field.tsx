import { ActionIcon, Button, NativeSelect, Select } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import type { FurtherSource } from '../../../../contract/rows/write-settings.ts'
import { spreadsheetMessages } from '../../../../contract/spreadsheets/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { SpreadsheetField } from '../../../tasks/google/spreadsheet-field.tsx'
import { TabField } from '../../../tasks/google/tab-field.tsx'
import { SortableList } from '../../../ui/sortable-list.tsx'
import { configsQuery } from '../components/choices.ts'
import classes from './write-section.module.css'

type Props = { sources: FurtherSource[]; onChange: (sources: FurtherSource[]) => void }

const BLANK: FurtherSource = {
  source_type: 'sheet',
  source_ss_id: '',
  source_sheet_name: '',
  source_compiler_config_id: null,
}

/** Sources behind the first one, in the order of their rows. */
export const SourcesField = ({ sources, onChange }: Props) => (
  <>
    {sources.length > 0 && (
      <SortableList
        label="Further sources, in order"
        rows={sources.map((source, id) => ({ id, name: `Source ${id + 2}`, source }))}
        onReorder={(ids) => onChange(ids.flatMap((id) => sources[id] ?? []))}
      >
        {({ id, name, source }) => (
          <fieldset className={classes.source} aria-label={name}>
            <SourceFields
              name={name}
              source={source}
              onChange={(changed) => onChange(sources.with(id, changed))}
            />
            <ActionIcon
              aria-label={`Remove ${name.toLowerCase()}`}
              title="Remove"
              onClick={() => onChange(sources.toSpliced(id, 1))}
            >
              <IconX size={17} />
            </ActionIcon>
          </fieldset>
        )}
      </SortableList>
    )}
    <Button
      variant="default"
      size="xs"
      leftSection={<IconPlus size={15} aria-hidden />}
      w="fit-content"
      disabled={sources.length >= limits.further_sources_max}
      onClick={() => onChange([...sources, BLANK])}
    >
      Add source
    </Button>
  </>
)

type SourceProps = { name: string; source: FurtherSource; onChange: (source: FurtherSource) => void }

const SourceFields = ({ name, source, onChange }: SourceProps) => (
  <div className={classes.fields}>
    <NativeSelect
      label={name}
      aria-label={`Type of ${name.toLowerCase()}`}
      data={[
        { value: 'sheet', label: taskMessages.sheet_or_file },
        { value: 'internal', label: taskMessages.internal_db },
      ]}
      value={source.source_type}
      onChange={({ currentTarget: { value } }) =>
        onChange(value === 'sheet' ? BLANK : { ...BLANK, source_type: 'internal' })
      }
    />
    {source.source_type === 'internal' ? (
      <ConfigSelect source={source} onChange={onChange} />
    ) : (
      <>
        <SpreadsheetField
          label="Spreadsheet"
          value={source.source_ss_id}
          onChange={(source_ss_id) => onChange({ ...source, source_ss_id })}
        />
        <TabField
          label="Sheet name"
          placeholder="First sheet"
          spreadsheet={source.source_ss_id}
          unknown={spreadsheetMessages.tab_unknown}
          value={source.source_sheet_name}
          onChange={(source_sheet_name) => onChange({ ...source, source_sheet_name })}
        />
      </>
    )}
  </div>
)

function ConfigSelect({ source, onChange }: Omit<SourceProps, 'name'>) {
  const active = useQuery(configsQuery(true)).data ?? []
  const inactive = useQuery(configsQuery(false)).data ?? []
  const chosen = source.source_compiler_config_id
  return (
    <Select
      label="Compiler configuration"
      withAsterisk
      searchable
      allowDeselect={false}
      data={[
        ...active.map(({ id, name: label }) => ({ value: String(id), label })),
        ...inactive
          .filter(({ id }) => id === chosen)
          .map(({ id, name: label }) => ({ value: String(id), label: taskMessages.config_resting(label) })),
      ]}
      value={chosen === null ? null : String(chosen)}
      onChange={(id) => onChange({ ...source, source_compiler_config_id: id === null ? null : Number(id) })}
    />
  )
}
