import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { Switch } from '../../../ui/switch.tsx'
import classes from './type-filter-bar.module.css'
import { statusChoices, type TypeFilters } from './type-filters.ts'

type Props = {
  filters: TypeFilters
  typed: string | null
  onType: (text: string | null) => void
  groups: readonly string[]
  onChange: (change: Partial<TypeFilters>) => void
  reordering: boolean
  onReordering: (on: boolean) => void
}

/** Search, status and group filters, and the switch to reorder mode, which shows the whole list. */
export function TypeFilterBar(props: Props) {
  const { filters, typed, onType, groups, onChange, reordering, onReordering } = props
  const filtered = filters.search !== '' || filters.status !== '' || filters.group !== ''
  return (
    <>
      <FilterBar
        search={
          <SearchField
            label="Search source task types"
            placeholder="Search by name, description or group"
            disabled={reordering}
            search={filters.search}
            typed={typed}
            onType={onType}
            onChange={(search) => onChange({ search })}
          />
        }
        count={[filters.status, filters.group].filter((one) => one !== '').length}
        onClear={filtered && !reordering ? () => onChange({ search: '', status: '', group: '' }) : null}
        end={
          <Switch
            label={`Reorder Mode: ${reordering ? 'On' : 'Off'}`}
            showLabel
            checked={reordering}
            onChange={onReordering}
          />
        }
      >
        <Choice
          label="Status"
          disabled={reordering}
          options={statusChoices}
          value={filters.status}
          onChange={(status) => onChange({ status: status ?? '' })}
        />
        <Choice
          label="Group"
          all="All groups"
          disabled={reordering}
          options={groups.map((group) => ({ value: group, label: group }))}
          value={filters.group}
          onChange={(group) => onChange({ group: group ?? '' })}
        />
      </FilterBar>
      {reordering && (
        <p className={classes.hint} role="status">
          {taskMessages.reorder_mode_on}
        </p>
      )}
    </>
  )
}
