import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { scheduleMessages } from '../../../contract/schedules/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { useTimeZone } from '../../lib/session.ts'
import { formatInZone } from '../../lib/time-zone.ts'
import { statusTone } from '../../schedules/source-state.ts'
import { SourceStatusBar } from '../../schedules/source-status-bar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { CardTable } from '../../ui/card-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { upcomingQuery } from './api.ts'

const back = { to: '/settings', label: 'Back to Settings' }

/** Next run of each source task, and the state of the source schedule. */
export function SourceScheduleScreen() {
  const zone = useTimeZone()
  const query = useQuery(upcomingQuery)
  const { data, error } = query
  return (
    <>
      <PageHeader
        title="Source Scheduled Tasks"
        subtitle={data && formatCount(data.length, 'upcoming task')}
        back={back}
      >
        <Button
          variant="default"
          leftSection={<IconRefresh size={17} aria-hidden />}
          loading={query.isFetching}
          onClick={() => query.refetch()}
        >
          Refresh
        </Button>
      </PageHeader>
      <SourceStatusBar />
      {query.isPending && <LoadingRows label="Loading the upcoming tasks" />}
      {error && (
        <LoadError
          message={reasonOf(error, scheduleMessages.fetch_scheduled_tasks_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {!error && data?.length === 0 && (
        <EmptyState
          title={scheduleMessages.no_upcoming_tasks}
          hint={scheduleMessages.no_upcoming_tasks_hint}
        />
      )}
      {!error && data && data.length > 0 && (
        <CardTable
          label="Upcoming tasks"
          keyOf={({ task_id }) => task_id}
          rows={data}
          columns={[
            { label: 'Task', cell: ({ task_name }) => task_name },
            { label: 'Type', cell: ({ task_type }) => task_type ?? scheduleMessages.no_type_assigned },
            { label: 'Cron', cell: ({ cron_schedule }) => cron_schedule ?? scheduleMessages.entry_run_all },
            {
              label: 'Next Run',
              cell: ({ next_run_time }) => (
                <time dateTime={next_run_time}>{formatInZone(next_run_time, zone)}</time>
              ),
            },
            {
              label: 'Status',
              cell: ({ current_status }) => (
                <Badge tone={statusTone(current_status)} label={current_status} />
              ),
            },
            {
              label: 'Logs',
              cell: ({ task_id, task_name }) => (
                <Button
                  component={Link}
                  to={`/source_tasks/${task_id}/logs`}
                  variant="default"
                  size="xs"
                  aria-label={`View the logs of ${task_name}`}
                >
                  View
                </Button>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
