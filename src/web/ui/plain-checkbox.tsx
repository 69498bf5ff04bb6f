import classes from './plain-checkbox.module.css'

type Props = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** The browser's own checkbox with its label, for the head of a page: the kit's weighs as much as some screens. */
export const PlainCheckbox = ({ label, checked, onChange }: Props) => (
  <label className={classes.checkbox}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
    {label}
  </label>
)
