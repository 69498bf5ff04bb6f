import { NumberInput, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../../contract/limits.ts'
import { limitMessages as messages } from '../../../../contract/run-limits/client-messages.ts'
import { limitDefaultsQuery } from '../api.ts'
import { countLimits, limitFields } from './limits-form.ts'
import classes from './limits-section.module.css'
import type { TaskValues } from './task-form.ts'

type Props = { form: UseFormReturnType<TaskValues>; isOpen: boolean }

const { labels, hints } = messages

/** The limits of a task, folded; open if one of them has an error. */
export function LimitsSection({ form, isOpen }: Props) {
  const defaults = useQuery(limitDefaultsQuery).data
  const hasError = Object.keys(limitFields).some((name) => form.errors[name])
  const byDefault = (value: number | null | undefined) =>
    value === undefined ? undefined : messages.by_default(value)
  const number = (name: 'removed_percent' | 'emptied_percent' | 'from_rows' | 'changed_cells') => ({
    label: labels[name],
    description: hints[name],
    placeholder: byDefault(defaults?.[name]),
    allowDecimal: false,
    thousandSeparator: ',',
    ...form.getInputProps(name),
  })
  return (
    <details className={classes.section} open={isOpen || hasError || undefined}>
      <summary>
        {messages.title}
        <span>{messages.set(countLimits(form.values))}</span>
      </summary>
      <p>{messages.hint}</p>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={14}>
        <NumberInput data-autofocus={isOpen || undefined} min={0} max={100} {...number('removed_percent')} />
        <NumberInput min={0} max={100} {...number('emptied_percent')} />
        <NumberInput min={1} max={limits.start_row_max} {...number('from_rows')} />
        <NumberInput min={0} max={limits.limited_cells_max} {...number('changed_cells')} />
        <Textarea
          label={labels.required_columns}
          description={hints.columns}
          rows={3}
          {...form.getInputProps('required_columns')}
        />
        <Textarea
          label={labels.filled_columns}
          description={hints.columns}
          rows={3}
          {...form.getInputProps('filled_columns')}
        />
        <TextInput
          label={labels.unique_column}
          description={hints.unique_column}
          {...form.getInputProps('unique_column')}
        />
      </SimpleGrid>
    </details>
  )
}
