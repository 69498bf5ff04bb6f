// biome-ignore-all lint/a11y/useAriaPropsForRole: a native checkbox exposes its checked state
import classes from './switch.module.css'

type Props = {
  label: string
  checked: boolean
  /** Changes are currently ignored; the focus remains. */
  locked?: boolean
  onChange: (checked: boolean) => void
  showLabel?: boolean
}

/** A switch based on the native checkbox, since a list has hundreds of them. */
export const Switch = ({ label, checked, locked, onChange, showLabel }: Props) => (
  <label className={classes.switch}>
    <input
      type="checkbox"
      role="switch"
      aria-label={showLabel ? undefined : label}
      aria-disabled={locked}
      checked={checked}
      onChange={(event) => {
        if (!locked) onChange(event.currentTarget.checked)
      }}
    />
    {showLabel && label}
  </label>
)
