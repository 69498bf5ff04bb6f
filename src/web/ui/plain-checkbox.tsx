import classes from './plain-checkbox.module.css'

type Props = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** The browser's own checkbox with a label, for page headers: Mantine's component would add as much code as a screen. */
export const PlainCheckbox = ({ label, checked, onChange }: Props) => (
  <label className={classes.checkbox}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
)
