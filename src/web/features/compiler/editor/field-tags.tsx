import { TagsInput } from '@mantine/core'
import { useState } from 'react'

type Props = {
  label: string
  placeholder?: string
  /** Suggestions; other values are allowed. */
  fields: string[]
  value: string[]
  onChange: (fields: string[]) => void
}

/** Input for field names. Suggestions open on a click or on typing, not on focus. */
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
