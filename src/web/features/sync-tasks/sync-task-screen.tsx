import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import { CallError } from '../../lib/call.ts'
import { usePathId } from '../../lib/path-id.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { taskQuery } from './api.ts'
import { useLiveTasks } from './components/live.ts'
import { RunHistory } from './components/run-history.tsx'
import { isUnderWay } from './components/status.ts'
import { TaskCard } from './components/task-card.tsx'
import { displayName } from './components/wording.ts'

const back = { to: '/sync_tasks', label: 'Back to Sync Tasks' }

/** One sync task with all that is known of it; the address decides which. */
export function SyncTaskScreen() {
  const id = usePathId()
  return id === null ? <Missing /> : <Task key={id} id={id} />
}

function Missing() {
  return (
    <>
      <PageHeader title="Sync Task" back={back} />
      <EmptyState title={messages.sync_task_not_found}>
        <Link to={back.to}>{back.label}</Link>
      </EmptyState>
    </>
  )
}

function Task({ id }: { id: number }) {
  const query = useQuery(taskQuery(id))
  const { lost } = useLiveTasks(query.data ? [query.data] : [])
  useQuery({
    ...taskQuery(id),
    refetchInterval: lost && query.data && isUnderWay(query.data) ? limits.status_poll_ms : false,
  })
  if (query.error instanceof CallError && query.error.status === 404) return <Missing />
  return (
    <>
      <PageHeader title={query.data ? displayName(query.data) : 'Sync Task'} back={back} />
      {query.isError && <LoadError message={messages.sync_task_not_found} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label="Loading the sync task" />}
      {query.data && (
        <>
          <TaskCard task={query.data} />
          <RunHistory task={query.data} lost={lost} />
        </>
      )}
    </>
  )
}
