import type { UseFormReturnType } from '@mantine/form'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { rowMessages as messages } from '../../../../contract/rows/client-messages.ts'
import { columnText, extraColumnText, filterText, sortText } from '../../../../contract/rows/describe.ts'
import type { RowSample } from '../../../../contract/rows/row-sample.ts'
import { ConditionsField } from '../../../tasks/edit/conditions-field.tsx'
import { FoldedSection } from '../../../ui/folded-section.tsx'
import { ColumnsField } from './columns-field.tsx'
import { ExtraColumnsField } from './extra-columns-field.tsx'
import { OrderField } from './order-field.tsx'
import classes from './rows-section.module.css'
import { SampleTable } from './sample-table.tsx'
import type { TaskValues } from './task-form.ts'
import { useRowSample } from './use-row-sample.ts'

const CompletenessSection = lazy(async () => ({
  default: (await import('./completeness-section.tsx')).CompletenessSection,
}))

/** Which rows and columns are copied; the source is read once the section is open. */
export function RowsSection({ form }: { form: UseFormReturnType<TaskValues> }) {
  const { values, errors } = form
  const [isOpen, setIsOpen] = useState(false)
  const { sample, error, isFetching, hasSource } = useRowSample(values, isOpen)
  const names = sample?.columns.map(({ name }) => name) ?? []
  const { columns, filter, sort_by, max_rows, extra_columns } = values
  const used = new Set(filter?.conditions.map(({ column }) => column))
  const set = (changes: Partial<TaskValues>) => form.setValues(changes)
  const states = {
    columns: columns?.map(columnText).join(', ') ?? 'all',
    filter: filter ? filterText(filter) : 'none',
    order: [...sort_by.map(sortText), ...(max_rows === '' ? [] : [`at most ${max_rows}`])].join(', '),
    extra: extra_columns.map(extraColumnText).join(', '),
  }
  return (
    <FoldedSection
      title={messages.title}
      state={stateOf(values)}
      onToggle={setIsOpen}
      error={
        errors.columns ||
        errors.filter ||
        errors.sort_by ||
        errors.max_rows ||
        errors.extra_columns ||
        errors.completeness
          ? messages.mend
          : undefined
      }
    >
      <FoldedSection
        title="Columns"
        hint={names.length > 0 ? messages.columns_hint : messages.columns_later}
        state={states.columns}
        error={errors.columns}
      >
        <ColumnsField
          sampled={sample?.columns ?? []}
          chosen={columns}
          includesNew={values.include_new_columns}
          onChange={set}
        />
      </FoldedSection>
      <FoldedSection title="Filter" hint={messages.filter_hint} state={states.filter} error={errors.filter}>
        <ConditionsField filter={filter} columns={names} onChange={(changed) => set({ filter: changed })} />
        {sample?.columns.map(
          ({ name, number_as_text }) =>
            number_as_text !== null &&
            used.has(name) && (
              <p key={name} className={classes.note}>
                {messages.number_as_text(name, number_as_text)}
              </p>
            ),
        )}
      </FoldedSection>
      <FoldedSection
        title="Order and number of rows"
        hint={messages.order_hint}
        state={states.order || 'as in the source'}
        error={errors.sort_by ?? errors.max_rows}
      >
        <OrderField sort_by={sort_by} max_rows={max_rows} columns={names} onChange={set} />
      </FoldedSection>
      <FoldedSection
        title="Extra columns"
        hint={messages.extra_hint}
        state={states.extra || 'none'}
        error={errors.extra_columns}
      >
        <ExtraColumnsField columns={extra_columns} onChange={(changed) => set({ extra_columns: changed })} />
      </FoldedSection>
      {(values.source_type === 'internal' || values.completeness !== null) && (
        <Suspense>
          <CompletenessSection form={form} fields={names} />
        </Suspense>
      )}
      {hasSource && (
        <Found
          sample={sample}
          failure={error?.message}
          isReading={isFetching}
          max_rows={max_rows}
          isFiltered={filter !== null}
        />
      )}
    </FoldedSection>
  )
}

const stateOf = ({ columns, filter, sort_by, max_rows, extra_columns }: TaskValues): string => {
  const parts = [
    columns && `${columns.length} ${columns.length === 1 ? 'column' : 'columns'}`,
    filter && filterText(filter),
    sort_by.length > 0 && 'sorted',
    max_rows !== '' && `at most ${max_rows} rows`,
    extra_columns.length > 0 && `${extra_columns.length} extra`,
  ].filter(Boolean)
  return parts.length > 0 ? parts.join(' · ') : messages.whole
}

type FoundProps = {
  sample: RowSample | undefined
  failure: string | undefined
  isReading: boolean
  max_rows: number | string
  isFiltered: boolean
}

/** How many rows a run would copy, and the first of them. */
function Found({ sample, failure, isReading, max_rows, isFiltered }: FoundProps) {
  const says = (text: ReactNode) => (
    <div className={classes.found}>
      <p role="status">{text}</p>
    </div>
  )
  if (failure !== undefined) return says(<span className={classes.refusal}>{failure}</span>)
  if (!sample) return isReading ? says(messages.sampling) : null
  if (sample.problem !== null) return says(<span className={classes.refusal}>{sample.problem}</span>)
  const counted = isFiltered ? messages.counted(sample) : messages.all_counted(sample)
  return (
    <div className={classes.found} aria-busy={isReading}>
      <p role="status">
        {counted}
        {max_rows !== '' && messages.limited(Number(max_rows))}.
      </p>
      <SampleTable sample={sample} />
    </div>
  )
}
