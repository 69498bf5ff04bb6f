import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { SearchInput } from '../../../ui/search-input.tsx'
import classes from './record-filter-bar.module.css'
import { type RecordFilters, withRecordFilters } from './record-filters.ts'

const flags = [
  { name: 'has_blanks', label: 'Blanks', some: 'With blanks', none: 'Without blanks' },
  { name: 'has_errors', label: 'Errors', some: 'With errors', none: 'Without errors' },
  { name: 'is_duplicate', label: 'Duplicates', some: 'Duplicates', none: 'No duplicates' },
] as const

type Props = { filters: RecordFilters; onApply: (filters: RecordFilters) => void }

/** SKU, blanks, errors and duplicates; they hold once they are applied. */
export function RecordFilterBar({ filters, onApply }: Props) {
  const [draft, setDraft] = useState(filters)
  // a way back or forward brings its own filters along; the fields stay the same ones, so that the focus does
  const address = withRecordFilters(new URLSearchParams(), filters).toString()
  const [known, setKnown] = useState(address)
  if (known !== address) {
    setKnown(address)
    setDraft(filters)
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(draft)
  }
  return (
    <form className={classes.bar} onSubmit={apply}>
      <SearchInput
        className={classes.search}
        aria-label="Search SKU"
        placeholder="Search SKU"
        value={draft.sku_search ?? ''}
        onChange={(event) => setDraft({ ...draft, sku_search: event.currentTarget.value })}
      />
      {flags.map(({ name, label, some, none }) => (
        <NativeSelect
          key={name}
          className={classes.choice}
          aria-label={label}
          data={[
            { value: '', label: `${label}: all` },
            { value: 'true', label: some },
            { value: 'false', label: none },
          ]}
          value={draft[name] ?? ''}
          onChange={({ currentTarget: { value } }) =>
            setDraft({ ...draft, [name]: value === 'true' || value === 'false' ? value : undefined })
          }
        />
      ))}
      <Button type="submit" variant="default">
        Apply Filters
      </Button>
    </form>
  )
}
