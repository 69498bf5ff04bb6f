import { useQuery } from '@tanstack/react-query'
import { usePathId } from '../../lib/path-id.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { isMissing, taskQuery } from '../cache/task-queries.ts'
import { LastRuns } from '../history/last-runs.tsx'
import { NewestLines } from '../history/newest-lines.tsx'
import { RunHistory } from '../history/run-history.tsx'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { backToList, MissingTask } from './missing-task.tsx'
import { TaskActions } from './task-actions.tsx'
import { type PageParts, TaskCard } from './task-card.tsx'

/** One task with all that is known of it; the address decides which. */
export function TaskPage({ parts }: { parts: PageParts }) {
  const id = usePathId()
  const { texts } = useDescriptor()
  return id === null ? <MissingTask title={texts.one} /> : <OneTask key={id} id={id} parts={parts} />
}

function OneTask({ id, parts }: { id: number; parts: PageParts }) {
  const descriptor = useDescriptor()
  const query = useQuery(taskQuery(descriptor, id))
  const { lost } = useLiveTasks()
  const task = query.data
  useQuery({
    ...taskQuery(descriptor, id),
    refetchInterval: lost && task && isUnderWay(descriptor, task) ? descriptor.poll_ms : false,
  })
  const { one, not_found } = descriptor.texts
  if (isMissing(query.error)) return <MissingTask title={one} />
  const named = task && descriptor.titleOf(task)
  return (
    <>
      <PageHeader
        title={named?.title ?? one}
        {...(named && { detail: named.own })}
        back={backToList(descriptor)}
      >
        {task && <TaskActions task={task} />}
      </PageHeader>
      {query.isError && <LoadError message={not_found} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label={`Loading the ${one.toLowerCase()}`} />}
      {task && (
        <>
          <TaskCard task={task} parts={parts} />
          <LastRuns task={task} />
          <NewestLines task={task} />
          <RunHistory task={task} />
        </>
      )}
    </>
  )
}
