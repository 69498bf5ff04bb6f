import { Autocomplete, SimpleGrid, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { writeMessages as messages } from '../../../../contract/sync-tasks/dialog-messages.ts'
import type { TaskValues } from '../editor/task-form.ts'
import { ChoiceField } from './choice-field.tsx'

type Props = {
  values: Pick<TaskValues, 'on_missing' | 'mark_column' | 'mark_text' | 'split_by'>
  errors: { mark_column?: ReactNode; mark_text?: ReactNode }
  onChange: (values: Partial<TaskValues>) => void
}

/** What happens to rows that the source no longer has, or to tabs, which have no place for a mark. */
export const MissingFields = ({
  values: { on_missing, mark_column, mark_text, split_by },
  errors,
  onChange,
}: Props) => (
  <>
    <ChoiceField
      setting="on_missing"
      label={messages.missing_title}
      isTitled
      options={split_by === null ? ['keep', 'clear', 'mark'] : ['keep', 'clear']}
      value={on_missing}
      onChange={(chosen) => onChange({ on_missing: chosen })}
    />
    {on_missing === 'mark' && (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12}>
        <Autocomplete
          label={messages.mark_column}
          description={messages.mark_column_hint}
          withAsterisk
          data={['Status']}
          value={mark_column ?? ''}
          error={errors.mark_column}
          onChange={(name) => onChange({ mark_column: name === '' ? null : name })}
          data-path="mark_column"
        />
        <TextInput
          label={messages.mark_text}
          description={messages.mark_text_hint}
          value={mark_text}
          error={errors.mark_text}
          onChange={({ currentTarget: { value } }) => onChange({ mark_text: value })}
          data-path="mark_text"
        />
      </SimpleGrid>
    )}
  </>
)
