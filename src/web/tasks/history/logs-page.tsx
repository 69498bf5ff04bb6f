import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { usePathId } from '../../lib/path-id.ts'
import { useAddress } from '../../lib/use-address.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { keysOf } from '../cache/keys.ts'
import { taskQuery } from '../cache/task-queries.ts'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { readLogFilters, writeLogFilters } from '../log/log-filters.ts'
import { logOf } from '../log/log-queries.ts'
import { LogView } from '../log/log-view.tsx'
import { backToList, MissingTask } from '../page/missing-task.tsx'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'

const DeleteDialog = lazy(async () => ({
  default: (await import('../../ui/delete-dialog.tsx')).DeleteDialog,
}))

/** Reads the newest lines at intervals, in milliseconds; false: not. */
type Polling = { id: number; poll_ms: number | false; onPoll: (poll_ms: number | false) => void }

type Props = {
  /** Actions in addition to clearing the log. */
  actions?: (polling: Polling) => ReactNode
}

/** Log of one task, newest first, updated live. */
export function LogsPage({ actions }: Props) {
  const id = usePathId()
  return id === null ? <MissingTask title="Logs" /> : <Logs key={id} id={id} {...(actions && { actions })} />
}

function Logs({ id, actions }: { id: number } & Props) {
  const client = useQueryClient()
  const descriptor = useDescriptor()
  const { calls, texts } = descriptor
  const keys = keysOf(descriptor)
  const task = useQuery({ ...taskQuery(descriptor, id), meta: {} }).data
  const named = task && descriptor.titleOf(task)
  const { lost } = useLiveTasks()
  const [poll_ms, setPoll] = useState<number | false>(false)
  const [params, setParams] = useAddress()
  const [asking, setAsking] = useState(false)
  return (
    <LogView
      source={logOf(descriptor, id)}
      missing={<MissingTask title="Logs" />}
      filters={readLogFilters(params)}
      onFilter={(change) => setParams((before) => writeLogFilters(before, change))}
      poll_ms={poll_ms || (lost && task && isUnderWay(descriptor, task) ? descriptor.poll_ms : false)}
      endless
    >
      {({ subtitle, is_empty, log }) => (
        <>
          <PageHeader
            title={`Logs of ${named?.title ?? texts.numbered(id)}`}
            {...(named && { detail: named.detail })}
            subtitle={subtitle}
            back={backToList(descriptor)}
          >
            {actions?.({ id, poll_ms, onPoll: setPoll })}
            <Button
              variant="default"
              leftSection={<IconTrash size={17} aria-hidden />}
              disabled={is_empty}
              onClick={() => setAsking(true)}
            >
              Clear Logs
            </Button>
          </PageHeader>
          {log}
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
      )}
    </LogView>
  )
}
