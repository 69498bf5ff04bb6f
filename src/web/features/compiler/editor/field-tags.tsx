import { TagsInput } from '@mantine/core'
import { useState } from 'react'

type Props = {
  label: string
  placeholder?: string
  /** To choose from; others may be written. */
  fields: string[]
  value: string[]
  onChange: (fields: string[]) => void
}

/** Names of fields. The choice opens with a click or a letter, not where the focus merely passes. */
export function FieldTags({ label, placeholder = '', fields, value, onChange }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <TagsInput
      aria-label={label}
      placeholder={value.length === 0 ? placeholder : ''}
      data={fields}
      value={value}
      onChange={onChange}
      dropdownOpened={open}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      onClick={() => setOpen(true)}
      onSearchChange={(typed) => typed !== '' && setOpen(true)}
    />
  )
}
