import { useQuery } from '@tanstack/react-query'
import type { ScheduledTask } from '../../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../../contract/schedules/client-messages.ts'
import { taskMessages } from '../../../../contract/tasks/client-messages.ts'
import { formatPart } from '../../../lib/format.ts'
import { reasonOf } from '../../../lib/query-client.ts'
import { Badge } from '../../../ui/badge.tsx'
import { CardTable } from '../../../ui/card-table.tsx'
import { FilterBar } from '../../../ui/filter-bar.tsx'
import { SearchInput } from '../../../ui/search-input.tsx'
import { EmptyState, LoadError, LoadingRows, NothingMatches } from '../../../ui/states.tsx'
import { scheduledTasksQuery } from '../api.ts'
import { searchEntries } from './search-entries.ts'
import { isRefused, SignInForData } from './sign-in-for-data.tsx'

type Props = { search: string; onSearch: (search: string) => void }

/** Everything that runs on a schedule, with comment, command and schedule. */
export function ScheduledTable({ search, onSearch }: Props) {
  const query = useQuery(scheduledTasksQuery)
  const { data, error } = query
  if (isRefused(error)) return <SignInForData />
  if (error)
    return (
      <LoadError
        message={reasonOf(error, scheduleMessages.fetch_scheduled_tasks_failed)}
        onRetry={() => query.refetch()}
      />
    )
  if (!data) return <LoadingRows label="Loading the scheduled tasks" />
  if (data.length === 0)
    return (
      <EmptyState
        title={scheduleMessages.no_scheduled_tasks}
        hint={scheduleMessages.no_scheduled_tasks_hint}
      />
    )
  return <Entries entries={data} {...{ search, onSearch }} />
}

function Entries({ entries, search, onSearch }: Props & { entries: ScheduledTask[] }) {
  const shown = searchEntries(entries, search)
  return (
    <>
      <FilterBar
        search={
          <SearchInput
            aria-label="Search scheduled tasks"
            placeholder="Search"
            value={search}
            onChange={({ currentTarget }) => onSearch(currentTarget.value)}
          />
        }
        count={0}
        onClear={search === '' ? null : () => onSearch('')}
      />
      <p aria-live="polite">{formatPart(shown.length, entries.length, 'entry', 'entries')}</p>
      {shown.length === 0 && (
        <NothingMatches title={taskMessages.nothing_matches} onClear={() => onSearch('')} />
      )}
      {shown.length > 0 && (
        <CardTable
          label="Scheduled tasks"
          keyOf={({ comment, command }) => `${command} ${comment}`}
          rows={shown}
          columns={[
            { label: 'Name', cell: ({ comment }) => comment },
            { label: 'What it runs', cell: ({ command }) => command },
            {
              label: 'Schedule',
              cell: ({ schedule, is_paused }) => (
                <>
                  {schedule} {is_paused && <Badge tone="warning" label="Stopped" />}
                </>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
