import { useState } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { type RecordFilters, withRecordFilters } from './record-filters.ts'

const flags = [
  { name: 'has_blanks', label: 'Blanks', some: 'With blanks', none: 'Without blanks' },
  { name: 'has_errors', label: 'Errors', some: 'With errors', none: 'Without errors' },
  { name: 'is_duplicate', label: 'Duplicates', some: 'Duplicates', none: 'No duplicates' },
] as const

type Props = { filters: RecordFilters; onApply: (filters: RecordFilters) => void }

/** Filters by SKU, blanks, errors and duplicates; changes are applied by a button. */
export function RecordFilterBar({ filters, onApply }: Props) {
  const [draft, setDraft] = useState(filters)
  // navigation changes the filters; the inputs stay mounted to keep the focus
  const address = withRecordFilters(new URLSearchParams(), filters).toString()
  const [known, setKnown] = useState(address)
  if (known !== address) {
    setKnown(address)
    setDraft(filters)
  }
  return (
    <FilterBar
      search={
        <SearchInput
          aria-label="Search SKU"
          placeholder="Search SKU"
          value={draft.sku_search ?? ''}
          onChange={(event) => setDraft({ ...draft, sku_search: event.currentTarget.value })}
        />
      }
      count={flags.filter(({ name }) => filters[name] !== undefined).length}
      onClear={Object.keys(filters).length > 0 ? () => onApply({}) : null}
      onApply={() => onApply(draft)}
    >
      {flags.map(({ name, label, some, none }) => (
        <Choice
          key={name}
          label={label}
          all="All"
          options={[
            { value: 'true', label: some },
            { value: 'false', label: none },
          ]}
          value={draft[name] ?? null}
          onChange={(value) =>
            setDraft({ ...draft, [name]: value === 'true' || value === 'false' ? value : undefined })
          }
        />
      ))}
    </FilterBar>
  )
}
