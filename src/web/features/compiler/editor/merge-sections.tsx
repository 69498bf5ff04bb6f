import { Autocomplete, MultiSelect, NativeSelect, NumberInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { compilerMessages } from '../../../../contract/compiler/client-messages.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import { LineList } from '../../../ui/line-list.tsx'

import { CheckSection } from './check-section.tsx'
import { type ConfigValues, mergedFields } from './config-form.ts'
import { FieldTags } from './field-tags.tsx'
import { RuleSection } from './rule-section.tsx'
import { useSourceChoices, useSourceColumns } from './source-choices.ts'
import { StaleSection } from './stale-section.tsx'

type Props = {
  form: UseFormReturnType<ConfigValues>
  /** The edited configuration; null for a new one. */
  config_id: number | null
}

/** Collapsible sections with the merge settings other than the order of sources. */
export function MergeSections({ form, config_id }: Props) {
  const { values, errors } = form
  const { required_fields, field_groups, field_priorities, column_names, source_task_ids, approval_percent } =
    values
  const columnsOf = useSourceColumns(source_task_ids)
  const fields = mergedFields(values, columnsOf)
  const choices = useSourceChoices()
  const sources = source_task_ids.map((id) => ({
    value: String(id),
    label: choices.find((choice) => choice.id === id)?.name ?? String(id),
  }))
  return (
    <>
      <FoldedSection
        title="Required fields"
        hint={compilerMessages.required_hint}
        state={countOf(required_fields)}
        error={errors.required_fields}
      >
        <FieldTags
          label="Required fields"
          fields={fields}
          value={required_fields}
          onChange={(names) => form.setFieldValue('required_fields', names)}
        />
      </FoldedSection>
      <FoldedSection
        title="Fields that move together"
        hint={compilerMessages.groups_hint}
        state={countOf(field_groups)}
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
      </FoldedSection>
      <FoldedSection
        title="Whose values win, by field"
        hint={compilerMessages.priorities_hint}
        state={countOf(field_priorities)}
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
      </FoldedSection>
      <FoldedSection
        title="Renamed columns"
        hint={compilerMessages.columns_hint}
        state={countOf(column_names)}
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
      </FoldedSection>
      <RuleSection form={form} fields={fields} />
      <CheckSection form={form} fields={fields} config_id={config_id} />
      <StaleSection form={form} />
      <FoldedSection
        title={compilerMessages.approval}
        hint={compilerMessages.approval_hint}
        state={
          approval_percent === null
            ? compilerMessages.no_approval
            : compilerMessages.approval_beyond(approval_percent)
        }
        error={errors.approval_percent}
      >
        <NumberInput
          label={compilerMessages.approval_percent}
          min={0}
          max={100}
          allowDecimal={false}
          value={approval_percent ?? ''}
          onChange={(percent) =>
            form.setFieldValue('approval_percent', typeof percent === 'number' ? percent : null)
          }
        />
      </FoldedSection>
    </>
  )
}

const countOf = ({ length }: readonly unknown[]) => (length > 0 ? String(length) : 'none')
