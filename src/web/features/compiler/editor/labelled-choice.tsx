import { NativeSelect } from '@mantine/core'

type Props<Value extends string> = {
  label: string
  /** Labels of the values, in order. */
  labels: Readonly<Record<Value, string>>
  value: Value
  onChange: (value: Value) => void
}

/** A select whose values have labels. */
export function LabelledChoice<Value extends string>({ label, labels, value, onChange }: Props<Value>) {
  const values = Object.keys(labels) as Value[]
  return (
    <NativeSelect
      aria-label={label}
      data={values.map((one) => ({ value: one, label: labels[one] }))}
      value={value}
      onChange={({ currentTarget }) => onChange(values.find((one) => one === currentTarget.value) ?? value)}
    />
  )
}
