import type { ChangeEvent } from 'react'
import classes from './select-box.module.css'
import type { stateOf } from './selection.ts'

type Props = {
  label: string
  state: ReturnType<typeof stateOf>
  /** `extend`: with Shift. */
  onChange: (on: boolean, extend: boolean) => void
}

/** A checkbox that selects tasks. Its area is larger than its box. */
export function SelectBox({ label, state, onChange }: Props) {
  const change = ({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) =>
    onChange(currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
  return (
    <label className={classes.box}>
      <input
        type="checkbox"
        aria-label={label}
        checked={state === 'all'}
        ref={(input) => {
          if (input) input.indeterminate = state === 'some'
        }}
        onChange={change}
      />
    </label>
  )
}
