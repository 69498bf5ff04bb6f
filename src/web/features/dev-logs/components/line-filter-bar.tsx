import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { Switch } from '../../../ui/switch.tsx'
import { type LineFilters, MinLevel, noLineFilters } from './line-filters.ts'

const levels = [
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors only' },
]

type Props = { filters: LineFilters; onChange: (filters: LineFilters) => void }

/** Filters of log lines: text, minimum level, and requests for static files. */
export function LineFilterBar({ filters, onChange }: Props) {
  return (
    <FilterBar
      search={
        <SearchInput
          aria-label="Search the log"
          placeholder="Search the log"
          value={filters.search}
          onChange={({ currentTarget }) => onChange({ ...filters, search: currentTarget.value })}
        />
      }
      count={(filters.minLevel === null ? 0 : 1) + (filters.assets ? 1 : 0)}
      onClear={filters.search || filters.minLevel || filters.assets ? () => onChange(noLineFilters) : null}
    >
      <Choice
        label="Level"
        all="All levels"
        options={levels}
        value={filters.minLevel}
        onChange={(level) => onChange({ ...filters, minLevel: MinLevel.safeParse(level).data ?? null })}
      />
      <Switch
        label="Requests for page files"
        showLabel
        checked={filters.assets}
        locked={false}
        onChange={(assets) => onChange({ ...filters, assets })}
      />
    </FilterBar>
  )
}
