import { useState } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { activeChoices, categoryChoices, type UnifiedFilters } from './unified-filters.ts'

type Props = { filters: UnifiedFilters; onApply: (filters: UnifiedFilters) => void }

/** Filters by search, category and status; changes are applied by a button. */
export function UnifiedFilterBar({ filters, onApply }: Props) {
  // navigation changes the filters
  const [edited, setEdited] = useState({ of: filters, draft: filters })
  const draft = edited.of === filters ? edited.draft : filters
  const setDraft = (changed: UnifiedFilters) => setEdited({ of: filters, draft: changed })
  const none: UnifiedFilters = { search: '', category: '', status: '' }
  return (
    <FilterBar
      search={
        <SearchInput
          aria-label="Search task types"
          placeholder="Search by name or description"
          value={draft.search}
          onChange={(event) => setDraft({ ...draft, search: event.currentTarget.value })}
        />
      }
      count={[filters.category, filters.status].filter((one) => one !== '').length}
      onClear={Object.values(filters).some((one) => one !== '') ? () => onApply(none) : null}
      onApply={() => onApply(draft)}
    >
      <Choice
        label="Category"
        all="All categories"
        options={categoryChoices}
        value={draft.category}
        onChange={(category) => setDraft({ ...draft, category: category ?? '' })}
      />
      <Choice
        label="Status"
        all="All"
        options={activeChoices}
        value={draft.status}
        onChange={(status) => setDraft({ ...draft, status: status ?? '' })}
      />
    </FilterBar>
  )
}
