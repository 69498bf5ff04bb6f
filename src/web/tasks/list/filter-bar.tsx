import { ActionIcon, NativeSelect } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { SearchField } from '../../ui/search-field.tsx'
import type { Group } from '../list/groups.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import classes from './filter-bar.module.css'
import { type Filters, isFiltered } from './filters.ts'

type Props = {
  filters: Filters
  /** What is being typed into the search; the address follows a moment later. Null: nothing. */
  typed: string | null
  onType: (text: string | null) => void
  groups: Group[]
  onChange: (change: Partial<Filters>) => void
  onClear: () => void
}

/** Search, type, active and the category's own filters of the list; `/` goes to the search. */
export function FilterBar({ filters, typed, onType, groups, onChange, onClear }: Props) {
  const { filters: own, chips } = useDescriptor()
  const press = (chip: string) =>
    onChange({
      chips: filters.chips.includes(chip)
        ? filters.chips.filter((one) => one !== chip)
        : [...filters.chips, chip],
    })
  return (
    <div className={classes.bar}>
      <SearchField
        className={classes.search}
        label="Search tasks"
        placeholder="Search by name or id"
        search={filters.search}
        typed={typed}
        onType={onType}
        onChange={(search) => onChange({ search })}
      />
      <NativeSelect
        className={classes.type}
        aria-label="Filter by type"
        data={[
          { value: '', label: 'All types' },
          ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={filters.type ?? ''}
        onChange={(event) => onChange({ type: event.currentTarget.value || null })}
      />
      {own.map(({ param, label, all, options }) => (
        <NativeSelect
          key={param}
          className={classes.kind}
          aria-label={label}
          data={[{ value: '', label: all }, ...options]}
          value={filters.choices[param] ?? ''}
          onChange={(event) =>
            onChange({ choices: { ...filters.choices, [param]: event.currentTarget.value } })
          }
        />
      ))}
      <NativeSelect
        className={classes.kind}
        aria-label="Filter by active or inactive"
        data={[
          { value: '', label: 'Active and inactive' },
          { value: '1', label: 'Active only' },
          { value: '0', label: 'Inactive only' },
        ]}
        value={filters.active === null ? '' : filters.active ? '1' : '0'}
        onChange={(event) => {
          const { value } = event.currentTarget
          onChange({ active: value === '' ? null : value === '1' })
        }}
      />
      {chips.length > 0 && (
        <div className={classes.chips}>
          {chips.map(({ param, label }) => (
            <button
              key={param}
              type="button"
              className={classes.chip}
              aria-pressed={filters.chips.includes(param)}
              onClick={() => press(param)}
            >
              {label}
            </button>
          ))}
        </div>
      )}
      {isFiltered(filters) && (
        <ActionIcon
          variant="default"
          size={36}
          aria-label="Clear all filters"
          title="Clear all filters"
          onClick={onClear}
        >
          <IconFilterOff size={17} />
        </ActionIcon>
      )}
    </div>
  )
}
