// biome-ignore-all lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is checked
import classes from './switch.module.css'

type Props = {
  label: string
  checked: boolean
  /** Shows that a change is not taken now; the focus stays where it is. */
  locked?: boolean
  onChange: (checked: boolean) => void
  showLabel?: boolean
}

/** An on/off switch on the browser's own checkbox: a list has hundreds of them. */
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
