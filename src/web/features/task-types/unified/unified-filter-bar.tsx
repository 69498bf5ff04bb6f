import { Button, NativeSelect } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { SearchInput } from '../../../ui/search-input.tsx'
import classes from '../list/type-filter-bar.module.css'
import { activeChoices, categoryChoices, type UnifiedFilters } from './unified-filters.ts'

type Props = { filters: UnifiedFilters; onApply: (filters: UnifiedFilters) => void }

/** Search, category and status of the types of all categories; they hold once they are applied. */
export function UnifiedFilterBar({ filters, onApply }: Props) {
  // a way back or forward brings its own filters along
  const [edited, setEdited] = useState({ of: filters, draft: filters })
  const draft = edited.of === filters ? edited.draft : filters
  const setDraft = (changed: UnifiedFilters) => setEdited({ of: filters, draft: changed })
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(draft)
  }
  return (
    <form className={classes.bar} onSubmit={apply}>
      <SearchInput
        className={classes.search}
        aria-label="Search task types"
        placeholder="Search by name or description"
        value={draft.search}
        onChange={(event) => setDraft({ ...draft, search: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label="Category"
        data={[{ value: '', label: 'All categories' }, ...categoryChoices]}
        value={draft.category}
        onChange={(event) => setDraft({ ...draft, category: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label="Status"
        data={activeChoices}
        value={draft.status}
        onChange={(event) => setDraft({ ...draft, status: event.currentTarget.value })}
      />
      <Button type="submit" variant="default">
        Apply Filters
      </Button>
    </form>
  )
}
