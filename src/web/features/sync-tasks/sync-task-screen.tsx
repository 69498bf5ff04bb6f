import { useQuery } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { usePathId } from '../../lib/path-id.ts'
import { isMissing, taskQuery } from '../../tasks/api.ts'
import { NewestLines } from '../../tasks/history/newest-lines.tsx'
import { RunHistory } from '../../tasks/history/run-history.tsx'
import { useLiveTasks } from '../../tasks/live/use-live-tasks.ts'
import { isUnderWay } from '../../tasks/state/status.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { LastRuns } from './components/last-runs.tsx'
import { back, MissingTask } from './components/missing-task.tsx'
import { TaskActions } from './components/task-actions.tsx'
import { TaskCard } from './components/task-card.tsx'
import { displayName, ownName } from './components/wording.ts'

const title = 'Sync Task'

/** One sync task with all that is known of it; the address decides which. */
export function SyncTaskScreen() {
  const id = usePathId()
  return id === null ? <MissingTask title={title} /> : <Task key={id} id={id} />
}

function Task({ id }: { id: number }) {
  const query = useQuery(taskQuery(id))
  const { lost } = useLiveTasks()
  useQuery({
    ...taskQuery(id),
    refetchInterval: lost && query.data && isUnderWay(query.data) ? limits.status_poll_ms : false,
  })
  if (isMissing(query.error)) return <MissingTask title={title} />
  return (
    <>
      <PageHeader
        title={query.data ? displayName(query.data) : title}
        {...(query.data && { detail: ownName(query.data) })}
        back={back}
      >
        {query.data && <TaskActions task={query.data} />}
      </PageHeader>
      {query.isError && <LoadError message={messages.sync_task_not_found} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label="Loading the sync task" />}
      {query.data && (
        <>
          <TaskCard task={query.data} />
          <LastRuns task={query.data} />
          <NewestLines task={query.data} />
          <RunHistory task={query.data} />
        </>
      )}
    </>
  )
}
