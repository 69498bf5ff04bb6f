import { Checkbox, NativeSelect, TagsInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { completenessMessages as messages } from '../../../../contract/completeness/client-messages.ts'
import { completenessText } from '../../../../contract/rows/describe.ts'
import type { Completeness } from '../../../../contract/rows/row-settings.ts'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import type { TaskValues } from './task-form.ts'

type Props = {
  completeness: Completeness | null
  /** Fields of the records. */
  fields: readonly string[]
  onChange: (completeness: Completeness | null) => void
}

/** Which fields the records need for this target, and whether only complete ones are written. */
function CompletenessField({ completeness, fields, onChange }: Props) {
  const chosen = completeness === null ? 'none' : completeness.fields === null ? 'header' : 'named'
  const only_complete = completeness?.only_complete ?? false
  return (
    <>
      <NativeSelect
        label={messages.needed}
        data={[
          { value: 'none', label: messages.needs_none },
          { value: 'header', label: messages.needs_header },
          { value: 'named', label: messages.needs_named },
        ]}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === 'none' ? null : { fields: value === 'header' ? null : [], only_complete })
        }
      />
      {completeness !== null && completeness.fields !== null && (
        <TagsInput
          mt={10}
          label={messages.fields}
          description={messages.fields_hint}
          data={fields.filter((name) => name !== 'SKU')}
          value={completeness.fields}
          onChange={(names) => onChange({ ...completeness, fields: names })}
        />
      )}
      {completeness !== null && (
        <Checkbox
          mt={12}
          label={messages.only_complete}
          description={messages.only_complete_hint}
          checked={only_complete}
          onChange={({ currentTarget }) =>
            onChange({ ...completeness, only_complete: currentTarget.checked })
          }
        />
      )}
    </>
  )
}

/** The same as a section of the form of a sync task. */
export function CompletenessSection({
  form,
  fields,
}: {
  form: UseFormReturnType<TaskValues>
  fields: readonly string[]
}) {
  const { completeness } = form.values
  const error = Object.entries(form.errors).find(([path]) => path.startsWith('completeness'))?.[1]
  return (
    <FoldedSection
      title={messages.section}
      hint={messages.hint}
      state={completeness === null ? 'not measured' : completenessText(completeness)}
      error={error}
    >
      <CompletenessField
        completeness={completeness}
        fields={fields}
        onChange={(changed) => form.setFieldValue('completeness', changed)}
      />
    </FoldedSection>
  )
}
