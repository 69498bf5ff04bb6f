import { Radio } from '@mantine/core'
import { writeLabels } from '../../../../contract/rows/write-labels.ts'
import classes from './write-section.module.css'

type Props<Value extends string> = {
  setting: 'on_missing' | 'on_bad_keys' | 'on_cells_beside'
  label: string
  /** The title above says what the label would say. */
  isTitled?: boolean
  options: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}

/** A choice between a few ways, each in its words. */
export function ChoiceField<Value extends string>({
  setting,
  label,
  isTitled,
  options,
  value,
  onChange,
}: Props<Value>) {
  const labels: Readonly<Record<string, string>> = writeLabels[setting]
  return (
    <Radio.Group
      {...(isTitled ? { 'aria-label': label } : { label })}
      value={value}
      onChange={(text) => {
        const chosen = options.find((option) => option === text)
        if (chosen !== undefined) onChange(chosen)
      }}
    >
      <div className={classes.choices}>
        {options.map((option) => (
          <Radio key={option} value={option} label={labels[option]} />
        ))}
      </div>
    </Radio.Group>
  )
}
