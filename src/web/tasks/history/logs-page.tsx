import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { formatCount } from '../../lib/format.ts'
import { usePathId } from '../../lib/path-id.ts'
import { reasonOf } from '../../lib/query-client.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { keysOf } from '../cache/keys.ts'
import { isMissing, logsQuery, taskQuery } from '../cache/task-queries.ts'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { backToList, MissingTask } from '../page/missing-task.tsx'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { TaskLog } from './task-log.tsx'

const DeleteDialog = lazy(async () => ({
  default: (await import('../../ui/delete-dialog.tsx')).DeleteDialog,
}))

type Props = {
  /** What can be done beside clearing the log. */
  actions?: (id: number) => ReactNode
}

/** The log of one task, newest first; new lines appear as they are written. */
export function LogsPage({ actions }: Props) {
  const id = usePathId()
  return id === null ? <MissingTask title="Logs" /> : <Logs key={id} id={id} actions={actions?.(id)} />
}

function Logs({ id, actions }: { id: number; actions: ReactNode }) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const { calls, texts } = descriptor
  const keys = keysOf(descriptor)
  const task = useQuery({ ...taskQuery(descriptor, id), meta: {} }).data
  const named = task && descriptor.titleOf(task)
  const { lost } = useLiveTasks()
  const query = useQuery({
    ...logsQuery(descriptor, id),
    refetchInterval: lost && task && isUnderWay(descriptor, task) ? descriptor.poll_ms : false,
  })
  const [asking, setAsking] = useState(false)
  if (isMissing(query.error)) return <MissingTask title="Logs" />
  return (
    <>
      <PageHeader
        title={`Logs of ${named?.title ?? texts.numbered(id)}`}
        {...(named && { detail: named.own })}
        subtitle={query.data && formatCount(query.data.length, 'line')}
        back={backToList(descriptor)}
      >
        {actions}
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
          message={reasonOf(query.error, taskMessages.fetch_logs_failed)}
          onRetry={() => query.refetch()}
        />
      )}
      {query.isPending && <LoadingRows label="Loading the log" />}
      {query.data?.length === 0 && <EmptyState title={taskMessages.no_logs} />}
      {query.data && query.data.length > 0 && <TaskLog entries={query.data} />}
      <Suspense>
        {asking && (
          <DeleteDialog
            title={taskMessages.confirm_clear_logs}
            confirm="Clear Logs"
            question={taskMessages.confirm_clear_logs_text(task?.name ?? texts.numbered(id))}
            remove={() => calls.clearLogs(id)}
            deleted={taskMessages.logs_cleared}
            failed={taskMessages.clear_logs_failed}
            onDeleted={() =>
              Promise.all(
                [keys.logs(id), keys.task(id), keys.list].map((queryKey) =>
                  client.invalidateQueries({ queryKey }),
                ),
              )
            }
            onClose={() => setAsking(false)}
          />
        )}
      </Suspense>
    </>
  )
}
