import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { messages } from '../../../contract/messages.ts'
import { CallError } from '../../lib/call.ts'
import { formatCount } from '../../lib/format.ts'
import { requestLogin } from '../../lib/login-request.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { Badge } from '../../ui/badge.tsx'
import { CardTable } from '../../ui/card-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { scheduledTasksQuery } from './api.ts'

const back = { to: '/settings', label: 'Back to Settings' }

/** Everything that runs by itself. The page opens for everybody, its data only after sign-in. */
export function ScheduleScreen() {
  const query = useQuery(scheduledTasksQuery)
  const { data, error } = query
  const refused = error instanceof CallError && error.status === 401
  return (
    <>
      <PageHeader
        title="Scheduled tasks"
        subtitle={data && formatCount(data.length, 'entry', 'entries')}
        back={back}
      />
      {query.isPending && <LoadingRows label="Loading the scheduled tasks" />}
      {refused && (
        <EmptyState title={messages.login_required}>
          <Button onClick={() => requestLogin()}>Sign in</Button>
        </EmptyState>
      )}
      {error && !refused && (
        <LoadError
          message={reasonOf(error, messages.fetch_scheduled_tasks_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {data?.length === 0 && (
        <EmptyState title={messages.no_scheduled_tasks} hint={messages.no_scheduled_tasks_hint} />
      )}
      {data && data.length > 0 && (
        <CardTable
          label="Scheduled tasks"
          keyOf={({ comment, command }) => `${command} ${comment}`}
          rows={data}
          columns={[
            { label: 'Comment', cell: ({ comment }) => comment },
            { label: 'Command', cell: ({ command }) => command },
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
