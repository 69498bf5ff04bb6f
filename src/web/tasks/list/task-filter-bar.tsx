import { lazy, Suspense } from 'react'
import { favouriteMessages } from '../../../contract/favourites/client-messages.ts'
import { Choice } from '../../ui/choice.tsx'
import { FilterBar, FilterToggle } from '../../ui/filter-bar.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { OwnershipFilterFields } from '../ownership/ownership-filter-fields.tsx'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { type Filters, isFiltered, writeFilters } from './filters.ts'
import type { TypeGroup } from './groups.ts'
import classes from './task-filter-bar.module.css'

const ViewsMenu = lazy(async () => ({ default: (await import('../views/views-menu.tsx')).ViewsMenu }))

const DisplayMenu = lazy(async () => ({ default: (await import('./display-menu.tsx')).DisplayMenu }))

type Props = {
  filters: Filters
  /** Search text being typed; the URL follows after a delay. Null: nothing is being typed. */
  typed: string | null
  onType: (text: string | null) => void
  groups: readonly TypeGroup[]
  /** All tasks, including those hidden by filters. */
  tasks: readonly Task[]
  onChange: (change: Partial<Filters>) => void
  onClear: () => void
  /** Sets the filters of a saved view, query parameters. */
  onView: (query: string) => void
}

/** Search and filters of a list of tasks; `/` focuses the search. */
export function TaskFilterBar({ filters, typed, onType, groups, tasks, onChange, onClear, onView }: Props) {
  const { filters: own, chips, stream } = useDescriptor()
  const press = (chip: string) =>
    onChange({
      chips: filters.chips.includes(chip)
        ? filters.chips.filter((one) => one !== chip)
        : [...filters.chips, chip],
    })
  const set = [
    filters.type,
    filters.active,
    ...own.map(({ param }) => filters.choices[param] || null),
    filters.favourites || null,
    filters.owner,
    ...filters.tags,
  ]
  return (
    <FilterBar
      search={
        <SearchField
          label="Search tasks"
          placeholder="Search by name or id"
          search={filters.search}
          typed={typed}
          onType={onType}
          onChange={(search) => onChange({ search })}
        />
      }
      count={set.filter((one) => one !== null).length + filters.chips.length}
      onClear={isFiltered(filters) ? onClear : null}
      end={
        <Suspense fallback={<span className={classes.views} />}>
          <ViewsMenu
            list={stream === 'tasks' ? 'sync' : 'source'}
            query={writeFilters(filters).toString()}
            onChoose={onView}
          />
          <DisplayMenu />
        </Suspense>
      }
    >
      <Choice
        label="Type"
        all="All types"
        options={groups.map(({ type: { id }, name }) => ({ value: String(id), label: name }))}
        value={filters.type}
        onChange={(type) => onChange({ type })}
      />
      {own.map(({ param, label, all, options }) => (
        <Choice
          key={param}
          label={label}
          all={all}
          options={options}
          value={filters.choices[param] ?? null}
          onChange={(value) => onChange({ choices: { ...filters.choices, [param]: value ?? '' } })}
        />
      ))}
      <Choice
        label="Active"
        all="Active and inactive"
        options={[
          { value: '1', label: 'Active only' },
          { value: '0', label: 'Inactive only' },
        ]}
        value={filters.active === null ? null : filters.active ? '1' : '0'}
        onChange={(value) => onChange({ active: value === null ? null : value === '1' })}
      />
      <OwnershipFilterFields tasks={tasks} filters={filters} onChange={onChange} />
      <FilterToggle
        label={favouriteMessages.favourites}
        pressed={filters.favourites}
        onPress={() => onChange({ favourites: !filters.favourites })}
      />
      {chips.map(({ param, label }) => (
        <FilterToggle
          key={param}
          label={label}
          pressed={filters.chips.includes(param)}
          onPress={() => press(param)}
        />
      ))}
    </FilterBar>
  )
}
