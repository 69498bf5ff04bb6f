import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { syncTasks } from '../../../contract/sync-tasks.ts'
import { call } from '../../lib/call.ts'
import { formatCount } from '../../lib/format.ts'
import { usePathId } from '../../lib/path-id.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { isMissing, keys, logsQuery, taskQuery } from '../../tasks/api.ts'
import { TaskLog } from '../../tasks/history/task-log.tsx'
import { useLiveTasks } from '../../tasks/live/use-live-tasks.ts'
import { isUnderWay } from '../../tasks/state/status.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { toast } from '../../ui/toast.ts'
import { back, MissingTask } from './components/missing-task.tsx'
import { displayName, ownName } from './components/wording.ts'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../ui/confirm-dialog.tsx')).ConfirmDialog,
}))

/** The log of one task, newest first; new lines appear as they are written. */
export function SyncTaskLogsScreen() {
  const id = usePathId()
  return id === null ? <MissingTask title="Logs" /> : <Logs key={id} id={id} />
}

function Logs({ id }: { id: number }) {
  const client = useQueryClient()
  const task = useQuery({ ...taskQuery(id), meta: {} }).data
  const { lost } = useLiveTasks()
  const query = useQuery({
    ...logsQuery(id),
    refetchInterval: lost && task && isUnderWay(task) ? limits.status_poll_ms : false,
  })
  const [asking, setAsking] = useState(false)
  const clear = useMutation({
    mutationFn: () => call(syncTasks.clearLogs, { params: { id } }),
    onSuccess: () => {
      toast.success(messages.logs_cleared)
      return Promise.all([
        client.invalidateQueries({ queryKey: keys.logs(id) }),
        client.invalidateQueries({ queryKey: keys.task(id) }),
        client.invalidateQueries({ queryKey: keys.list }),
      ])
    },
    onError: (error) => toast.error(reasonOf(error, messages.clear_logs_failed)),
    onSettled: () => setAsking(false),
  })
  if (isMissing(query.error)) return <MissingTask title="Logs" />
  return (
    <>
      <PageHeader
        title={`Logs of ${task ? displayName(task) : messages.sync_task(id)}`}
        {...(task && { detail: ownName(task) })}
        subtitle={query.data && formatCount(query.data.length, 'line')}
        back={back}
      >
        <Button
          variant="default"
          leftSection={<IconTrash size={17} aria-hidden />}
          disabled={!query.data?.length}
          onClick={() => setAsking(true)}
        >
          Clear Logs
        </Button>
      </PageHeader>
      {query.isError && (
        <LoadError
          message={reasonOf(query.error, messages.fetch_logs_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {query.isPending && <LoadingRows label="Loading the log" />}
      {query.data?.length === 0 && <EmptyState title={messages.no_logs} />}
      {query.data && query.data.length > 0 && <TaskLog entries={query.data} />}
      <Suspense>
        {asking && (
          <ConfirmDialog
            title={messages.confirm_clear_logs}
            confirm="Clear Logs"
            busy={clear.isPending}
            onConfirm={() => clear.mutate()}
            onClose={() => setAsking(false)}
          >
            {messages.confirm_clear_logs_text(task?.name ?? messages.sync_task(id))}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  )
}
