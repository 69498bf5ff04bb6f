import { Autocomplete, NativeSelect, SegmentedControl, TagsInput, TextInput } from '@mantine/core'
import {
  type Condition,
  type Filter,
  type Operator,
  operators,
  valueKinds,
} from '../../../contract/rows/conditions.ts'
import { operatorLabels } from '../../../contract/rows/describe.ts'
import { LineList } from '../../ui/line-list.tsx'

type Props = {
  /** Null: all rows. */
  filter: Filter | null
  /** Names of the columns to choose from. */
  columns: readonly string[]
  onChange: (filter: Filter | null) => void
}

const BLANK: Condition = { column: '', operator: 'is', values: [''] }

const choices = operators.map((value) => ({ value, label: operatorLabels[value] }))

/** Conditions that rows must meet, all of them or any. */
export function ConditionsField({ filter, columns, onChange }: Props) {
  const match = filter?.match ?? 'all'
  const conditions = filter?.conditions ?? []
  const set = (lines: Condition[]) => onChange(lines.length === 0 ? null : { match, conditions: lines })
  return (
    <>
      {conditions.length > 1 && (
        <SegmentedControl
          aria-label="Rows must meet"
          w="fit-content"
          data={[
            { value: 'all', label: 'All conditions' },
            { value: 'any', label: 'Any condition' },
          ]}
          value={match}
          onChange={(value) => onChange({ match: value === 'any' ? 'any' : 'all', conditions })}
        />
      )}
      <LineList name="Condition" lines={conditions} blank={BLANK} onChange={set}>
        {(condition, change, number) => (
          <>
            <Autocomplete
              aria-label={`Column of condition ${number}`}
              placeholder="Column"
              data={[...columns]}
              value={condition.column}
              onChange={(column) => change({ ...condition, column })}
            />
            <NativeSelect
              aria-label={`Comparison of condition ${number}`}
              data={choices}
              value={condition.operator}
              onChange={({ currentTarget: { value } }) =>
                change(withOperator(condition, operators.find((one) => one === value) ?? 'is'))
              }
            />
            <Values condition={condition} number={number} onChange={change} />
          </>
        )}
      </LineList>
    </>
  )
}

function Values({
  condition,
  number,
  onChange,
}: {
  condition: Condition
  number: number
  onChange: (condition: Condition) => void
}) {
  const kind = valueKinds[condition.operator]
  if (kind === 'none') return null
  if (kind === 'list')
    return (
      <TagsInput
        aria-label={`Values of condition ${number}`}
        placeholder={condition.values.length === 0 ? 'Values; Enter adds one' : ''}
        acceptValueOnBlur
        value={condition.values}
        onChange={(values) => onChange({ ...condition, values })}
      />
    )
  return (
    <TextInput
      aria-label={`Value of condition ${number}`}
      placeholder={kind === 'number' ? 'Number, such as 12.5' : kind === 'date' ? 'Date' : 'Text'}
      type={kind === 'date' ? 'date' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      value={condition.values[0] ?? ''}
      onChange={({ currentTarget: { value } }) => onChange({ ...condition, values: [value] })}
    />
  )
}

/** The condition with another operator, and its values as far as they fit. */
function withOperator(condition: Condition, operator: Operator): Condition {
  const [former, kind] = [valueKinds[condition.operator], valueKinds[operator]]
  if (kind === 'none') return { ...condition, operator, values: [] }
  const filled = condition.values.filter((value) => value !== '')
  if (kind === 'list') return { ...condition, operator, values: filled }
  const fits = kind === former || (kind === 'text' && former !== 'none') || former === 'text'
  return { ...condition, operator, values: [(fits && kind !== 'date' && filled[0]) || ''] }
}
