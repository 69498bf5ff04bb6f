import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { authMessages } from '../../../contract/auth/client-messages.ts'
import type { ScheduledTask } from '../../../contract/schedules/calls.ts'
import { scheduleMessages } from '../../../contract/schedules/client-messages.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { CallError } from '../../lib/call.ts'
import { formatPart } from '../../lib/format.ts'
import { requestLogin } from '../../lib/login-request.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { CardTable } from '../../ui/card-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { scheduledTasksQuery } from './api.ts'
import { searchEntries } from './components/search-entries.ts'

const back = { to: '/settings', label: 'Back to Settings' }

/** Everything that runs on a schedule. The page is public; its data needs a session. */
export function ScheduleScreen() {
  const query = useQuery(scheduledTasksQuery)
  const { data, error } = query
  const [params, setParams] = useSearchParams()
  const search = params.get('q') ?? ''
  const shown = searchEntries(data ?? [], search)
  const refused = error instanceof CallError && error.status === 401
  return (
    <>
      <PageHeader
        title="Scheduled tasks"
        subtitle={data && formatPart(shown.length, data.length, 'entry', 'entries')}
        back={back}
      />
      {query.isPending && <LoadingRows label="Loading the scheduled tasks" />}
      {refused && (
        <EmptyState title={authMessages.login_required}>
          <Button onClick={() => requestLogin()}>Sign in</Button>
        </EmptyState>
      )}
      {error && !refused && (
        <LoadError
          message={reasonOf(error, scheduleMessages.fetch_scheduled_tasks_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {data?.length === 0 && (
        <EmptyState
          title={scheduleMessages.no_scheduled_tasks}
          hint={scheduleMessages.no_scheduled_tasks_hint}
        />
      )}
      {data && data.length > 0 && (
        <Entries
          shown={shown}
          search={search}
          onSearch={(q) => setParams(q ? { q } : {}, { replace: true })}
        />
      )}
    </>
  )
}

type Props = { shown: ScheduledTask[]; search: string; onSearch: (search: string) => void }

function Entries({ shown, search, onSearch }: Props) {
  return (
    <>
      <SearchInput
        aria-label="Search scheduled tasks"
        placeholder="Search"
        maw={360}
        mb={12}
        value={search}
        onChange={({ currentTarget }) => onSearch(currentTarget.value)}
      />
      {shown.length === 0 && <EmptyState title={taskMessages.nothing_matches} />}
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
