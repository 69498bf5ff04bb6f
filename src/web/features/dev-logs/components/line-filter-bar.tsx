import { NativeSelect } from '@mantine/core'
import { SearchInput } from '../../../ui/search-input.tsx'
import { Switch } from '../../../ui/switch.tsx'
import classes from './line-filter-bar.module.css'
import type { LineFilters } from './line-filters.ts'

const levels: { value: LineFilters['least'] | ''; label: string }[] = [
  { value: '', label: 'All levels' },
  { value: 'info', label: 'Info and above' },
  { value: 'warn', label: 'Warnings and errors' },
  { value: 'error', label: 'Errors only' },
]

type Props = { filters: LineFilters; onChange: (filters: LineFilters) => void }

/** Which lines of a log are shown: by text, by level, and with requests for the page's own files or without. */
export function LineFilterBar({ filters, onChange }: Props) {
  return (
    <search className={classes.bar}>
      <SearchInput
        className={classes.search}
        aria-label="Search the log"
        placeholder="Search the log"
        value={filters.search}
        onChange={({ currentTarget }) => onChange({ ...filters, search: currentTarget.value })}
      />
      <NativeSelect
        aria-label="Level"
        data={levels.map(({ value, label }) => ({ value: value ?? '', label }))}
        value={filters.least ?? ''}
        onChange={({ currentTarget }) =>
          onChange({
            ...filters,
            least: levels.find(({ value }) => value === currentTarget.value)?.value || null,
          })
        }
      />
      <Switch
        label="Requests for page files"
        showLabel
        checked={filters.assets}
        locked={false}
        onChange={(assets) => onChange({ ...filters, assets })}
      />
    </search>
  )
}
