import { Checkbox, SegmentedControl, TextInput } from '@mantine/core'
import type { SampledColumn } from '../../../../contract/rows/row-sample.ts'
import type { ChosenColumn } from '../../../../contract/rows/row-settings.ts'
import { cellText } from '../../../tasks/data/cell-text.ts'
import { SortableList } from '../../../ui/sortable-list.tsx'
import classes from './rows-section.module.css'

type Props = {
  /** Columns of the source; empty: they are not known. */
  sampled: readonly SampledColumn[]
  /** Null: all columns. */
  chosen: ChosenColumn[] | null
  includesNew: boolean
  onChange: (values: { columns: ChosenColumn[] | null; include_new_columns: boolean }) => void
}

/** Chooses columns of the source, renames and orders them. */
export function ColumnsField({ sampled, chosen, includesNew, onChange }: Props) {
  const set = (columns: ChosenColumn[] | null, include_new_columns = includesNew) =>
    onChange({ columns, include_new_columns })
  const valuesOf = new Map(sampled.map(({ name, values }) => [name, values.map((value) => cellText(value))]))
  const lines = (chosen ?? []).map((column, id) => ({ id, name: column.source, column }))
  const others = sampled.filter(({ name }) => !chosen?.some(({ source }) => source === name))
  return (
    <>
      <SegmentedControl
        aria-label="Columns"
        w="fit-content"
        data={[
          { value: 'all', label: 'All columns' },
          { value: 'chosen', label: 'Chosen columns' },
        ]}
        value={chosen === null ? 'all' : 'chosen'}
        onChange={(value) =>
          set(value === 'all' ? null : sampled.map(({ name }) => ({ source: name, name })))
        }
      />
      {chosen !== null && (
        <>
          <SortableList
            label="Chosen columns, in order"
            rows={lines}
            onReorder={(ids) => set(ids.flatMap((id) => chosen[id] ?? []))}
          >
            {({ id, column: { source, name } }) => (
              <>
                <Checkbox
                  className={classes.choice ?? ''}
                  label={<Column name={source} values={valuesOf.get(source)} isKnown={sampled.length > 0} />}
                  checked
                  onChange={() => set(chosen.toSpliced(id, 1))}
                />
                <TextInput
                  className={classes.rename ?? ''}
                  size="xs"
                  aria-label={`Name of ${source} in the target`}
                  value={name}
                  onChange={({ currentTarget: { value } }) => set(chosen.with(id, { source, name: value }))}
                />
              </>
            )}
          </SortableList>
          {others.map(({ name }) => (
            <Checkbox
              key={name}
              className={classes.other ?? ''}
              label={<Column name={name} values={valuesOf.get(name)} isKnown />}
              checked={false}
              onChange={() => set([...chosen, { source: name, name }])}
            />
          ))}
          <Checkbox
            label="Copy columns that are new in the source behind these"
            checked={includesNew}
            onChange={({ currentTarget: { checked } }) => set(chosen, checked)}
          />
        </>
      )}
    </>
  )
}

function Column({ name, values, isKnown }: { name: string; values: string[] | undefined; isKnown: boolean }) {
  const example = values ? values.join(', ') : isKnown ? 'not in the source' : ''
  return (
    <>
      {name}
      {example !== '' && <small data-missing={values === undefined || undefined}>{example}</small>}
    </>
  )
}
