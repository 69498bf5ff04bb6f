import { NativeSelect } from '@mantine/core'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'

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

/** Search, status and group of the list, and the switch to its reorder mode, in which it is shown whole. */
export function TypeFilterBar(props: Props) {
  const { filters, typed, onType, groups, onChange, reordering, onReordering } = props
  return (
    <div className={classes.bar}>
      <SearchField
        className={classes.search}
        label="Search source task types"
        placeholder="Search by name, description or group"
        disabled={reordering}
        search={filters.search}
        typed={typed}
        onType={onType}
        onChange={(search) => onChange({ search })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label="Status"
        disabled={reordering}
        data={statusChoices.map(({ value, label }) => ({ value, label }))}
        value={filters.status}
        onChange={(event) => onChange({ status: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes.choice}
        aria-label="Group"
        disabled={reordering}
        data={[{ value: '', label: 'All groups' }, ...groups]}
        value={filters.group}
        onChange={(event) => onChange({ group: event.currentTarget.value })}
      />
      <Switch
        label={`Reorder Mode: ${reordering ? 'On' : 'Off'}`}
        showLabel
        checked={reordering}
        onChange={onReordering}
      />
      {reordering && (
        <p className={classes.hint} role="status">
          {taskMessages.reorder_mode_on}
        </p>
      )}
    </div>
  )
}
