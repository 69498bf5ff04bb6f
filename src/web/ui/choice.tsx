import { IconChevronDown } from '@tabler/icons-react'
import classes from './field.module.css'

type Option = { value: string; label: string }

type Props = {
  label: string
  /** Label of the choice of none; without it, one option is always chosen. */
  all?: string
  options: readonly Option[]
  /** The chosen option; null or '': all. */
  value: string | null
  onChange: (value: string | null) => void
  disabled?: boolean
  className?: string | undefined
}

/** A filter with one choice of several and its visible label; for use in FilterBar. */
export const Choice = ({ label, all, options, value, onChange, disabled, className }: Props) => (
  <label className={className ? `${classes.field} ${className}` : classes.field}>
    <span className={classes.label}>{label}</span>
    <span className={classes.arrow}>
      <select
        className={classes.input}
        value={value ?? ''}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value || null)}
      >
        {all !== undefined && <option value="">{all}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown size={16} aria-hidden />
    </span>
  </label>
)
