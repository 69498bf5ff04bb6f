import { Autocomplete, MultiSelect, NativeSelect } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'

import { type ConfigValues, mergedFields } from './config-form.ts'
import { FieldTags } from './field-tags.tsx'
import { LineList } from './line-list.tsx'
import { Section } from './section.tsx'
import { useSourceChoices, useSourceColumns } from './source-choices.ts'

/** How the sources are merged beyond their order; each part is closed until it is needed. */
export function MergeSections({ form }: { form: UseFormReturnType<ConfigValues> }) {
  const { values, errors } = form
  const { required_fields, field_groups, field_priorities, column_names, source_task_ids } = values
  const columnsOf = useSourceColumns(source_task_ids)
  const fields = mergedFields(values, columnsOf)
  const choices = useSourceChoices()
  const sources = source_task_ids.map((id) => ({
    value: String(id),
    label: choices.find((choice) => choice.id === id)?.name ?? String(id),
  }))
  return (
    <>
      <Section
        title="Required fields"
        hint={compilerMessages.required_hint}
        count={required_fields.length}
        error={errors.required_fields}
      >
        <FieldTags
          label="Required fields"
          fields={fields}
          value={required_fields}
          onChange={(names) => form.setFieldValue('required_fields', names)}
        />
      </Section>
      <Section
        title="Fields that move together"
        hint={compilerMessages.groups_hint}
        count={field_groups.length}
        error={errors.field_groups}
      >
        <LineList
          name="Group"
          lines={field_groups}
          blank={[]}
          onChange={(groups) => form.setFieldValue('field_groups', groups)}
        >
          {(group, change, number) => (
            <FieldTags
              label={`Fields of group ${number}`}
              placeholder="Price, Currency, Unit…"
              fields={fields}
              value={group}
              onChange={change}
            />
          )}
        </LineList>
      </Section>
      <Section
        title="Whose values win, by field"
        hint={compilerMessages.priorities_hint}
        count={field_priorities.length}
        error={errors.field_priorities}
      >
        <LineList
          name="Field"
          lines={field_priorities}
          blank={{ field: '', source_task_ids: [] }}
          onChange={(priorities) => form.setFieldValue('field_priorities', priorities)}
        >
          {(line, change, number) => (
            <>
              <Autocomplete
                aria-label={`Field ${number}`}
                placeholder="Field"
                data={fields}
                value={line.field}
                onChange={(field) => change({ ...line, field })}
              />
              <MultiSelect
                aria-label={`Sources of field ${number}, the first wins`}
                placeholder={line.source_task_ids.length === 0 ? 'Sources, the first wins' : ''}
                data={sources}
                value={line.source_task_ids.map(String)}
                onChange={(ids) => change({ ...line, source_task_ids: ids.map(Number) })}
              />
            </>
          )}
        </LineList>
      </Section>
      <Section
        title="Renamed columns"
        hint={compilerMessages.columns_hint}
        count={column_names.length}
        error={errors.column_names}
      >
        {sources.length > 0 && (
          <LineList
            name="Column"
            lines={column_names}
            blank={{ source_task_id: Number(sources[0]?.value), column: '', field: '' }}
            onChange={(names) => form.setFieldValue('column_names', names)}
          >
            {(line, change, number) => (
              <>
                <NativeSelect
                  aria-label={`Source of column ${number}`}
                  data={sources}
                  value={String(line.source_task_id)}
                  onChange={({ currentTarget: { value } }) =>
                    change({ ...line, source_task_id: Number(value), column: '' })
                  }
                />
                <Autocomplete
                  aria-label={`Column ${number}`}
                  placeholder="Its column"
                  data={[...(columnsOf.get(line.source_task_id) ?? [])]}
                  value={line.column}
                  onChange={(column) => change({ ...line, column })}
                />
                <Autocomplete
                  aria-label={`Field of column ${number}`}
                  placeholder="is read as"
                  data={['SKU', ...fields]}
                  value={line.field}
                  onChange={(field) => change({ ...line, field })}
                />
              </>
            )}
          </LineList>
        )}
      </Section>
    </>
  )
}
