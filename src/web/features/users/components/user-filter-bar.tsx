import { useState } from 'react'
import { userMessages as messages } from '../../../../contract/users/client-messages.ts'
import { Choice } from '../../../ui/choice.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { grantBadge } from './grant-badge.ts'
import { readUserFilters, type UserFilters } from './user-filters.ts'

type Props = { filters: UserFilters; onChange: (change: Partial<UserFilters>) => void }

const grants = ['connected', 'revoked', 'disconnecting', 'none'] as const

/** Search and filters of the list of users. */
export function UserFilterBar({ filters, onChange }: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const { search, grant, status } = filters
  const set = [grant, status].filter((one) => one !== null).length
  const clear = () => {
    setTyped(null)
    onChange(readUserFilters(new URLSearchParams()))
  }
  return (
    <FilterBar
      search={
        <SearchField
          label={messages.search}
          placeholder={messages.search_hint}
          search={search}
          typed={typed}
          onType={setTyped}
          onChange={(text) => onChange({ search: text })}
        />
      }
      count={set}
      onClear={set > 0 || search !== '' ? clear : null}
    >
      <Choice
        label="Google access"
        all={messages.any_access}
        options={grants.map((one) => ({ value: one, label: grantBadge(one).label }))}
        value={grant}
        onChange={(value) => onChange({ grant: grants.find((one) => one === value) ?? null })}
      />
      <Choice
        label="Sign-in"
        all={messages.any_status}
        options={[
          { value: 'active', label: messages.active },
          { value: 'disabled', label: messages.disabled },
        ]}
        value={status}
        onChange={(value) => onChange({ status: value === 'active' || value === 'disabled' ? value : null })}
      />
    </FilterBar>
  )
}
