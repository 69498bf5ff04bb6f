import { Autocomplete, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import {
  codeLabels,
  compareLabels,
  localeLabels,
  typeLabels,
} from '../../../../contract/field-checks/describe-checks.ts'
import type { FieldCheck } from '../../../../contract/field-checks/field-checks.ts'
import { LabelledChoice } from './labelled-choice.tsx'
import { useSourceChoices, useSourceColumns } from './source-choices.ts'

type Props = {
  check: FieldCheck
  number: number
  fields: string[]
  onChange: (check: FieldCheck) => void
}

/** Inputs for what a kind of check needs besides its field. */
export function CheckArguments({ check, number, fields, onChange }: Props) {
  const label = (text: string) => `${text} of check ${number}`
  switch (check.kind) {
    case 'type':
      return (
        <LabelledChoice
          label={label('Type')}
          labels={typeLabels}
          value={check.type}
          onChange={(type) => onChange({ ...check, type })}
        />
      )
    case 'check_digit':
      return (
        <LabelledChoice
          label={label('Code')}
          labels={codeLabels}
          value={check.code}
          onChange={(code) => onChange({ ...check, code })}
        />
      )
    case 'range':
    case 'length':
      return <Bounds check={check} label={label} onChange={onChange} />
    case 'one_of':
      return (
        <TagsInput
          aria-label={label('Values')}
          placeholder={check.values.length === 0 ? 'Accepted values' : ''}
          value={check.values}
          onChange={(values) => onChange({ ...check, values })}
        />
      )
    case 'one_of_column':
      return <ListColumn check={check} label={label} onChange={onChange} />
    case 'pattern':
      return (
        <TextInput
          aria-label={label('Pattern')}
          placeholder="[A-Z]{2}-[0-9]+"
          value={check.pattern}
          onChange={({ currentTarget: { value } }) => onChange({ ...check, pattern: value })}
        />
      )
    case 'amount':
      return (
        <>
          <LabelledChoice
            label={label('Notation')}
            labels={localeLabels}
            value={check.locale}
            onChange={(locale) => onChange({ ...check, locale })}
          />
          <TagsInput
            aria-label={label('Units')}
            placeholder={check.units.length === 0 ? 'Any unit' : ''}
            value={check.units}
            onChange={(units) => onChange({ ...check, units })}
          />
        </>
      )
    case 'compare':
      return (
        <>
          <LabelledChoice
            label={label('Comparison')}
            labels={compareLabels}
            value={check.operator}
            onChange={(operator) => onChange({ ...check, operator })}
          />
          <Autocomplete
            aria-label={label('Other field')}
            placeholder="Other field"
            data={fields}
            value={check.other_field}
            onChange={(other_field) => onChange({ ...check, other_field })}
          />
        </>
      )
    case 'median':
      return (
        <NumberInput
          aria-label={label('Largest change')}
          suffix=" %"
          min={0}
          max={1000}
          value={check.percent}
          onChange={(percent) => onChange({ ...check, percent: Number(percent) })}
        />
      )
    default:
      return null
  }
}

type Part<Kind extends FieldCheck['kind']> = {
  check: FieldCheck & { kind: Kind }
  label: (text: string) => string
  onChange: (check: FieldCheck) => void
}

function Bounds({ check, label, onChange }: Part<'range' | 'length'>) {
  const bound = (name: 'min' | 'max', text: string) => (
    <NumberInput
      aria-label={label(text)}
      placeholder={text}
      value={check[name] ?? ''}
      onChange={(value) => onChange({ ...check, [name]: value === '' ? null : Number(value) })}
    />
  )
  return (
    <>
      {bound('min', 'Minimum')}
      {bound('max', 'Maximum')}
    </>
  )
}

function ListColumn({ check, label, onChange }: Part<'one_of_column'>) {
  const choices = useSourceChoices()
  const { source_task_id: id } = check
  const columns = useSourceColumns(id > 0 ? [id] : [])
  return (
    <>
      <NativeSelect
        aria-label={label('Source')}
        data={[
          { value: '0', label: 'Source' },
          ...choices.map((one) => ({ value: String(one.id), label: one.name })),
        ]}
        value={String(id)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...check, source_task_id: Number(value), column: '' })
        }
      />
      <Autocomplete
        aria-label={label('Column')}
        placeholder="Column"
        data={[...(columns.get(id) ?? [])]}
        value={check.column}
        onChange={(column) => onChange({ ...check, column })}
      />
    </>
  )
}
