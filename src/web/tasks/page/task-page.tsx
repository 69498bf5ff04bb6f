import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { usePathId } from '../../lib/path-id.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadError, LoadingRows } from '../../ui/states.tsx'
import { isMissing, refetchTask, taskQuery } from '../cache/task-queries.ts'
import { PageStar } from '../favourites/page-star.tsx'
import { LastRuns } from '../history/last-runs.tsx'
import { NewestLines } from '../history/newest-lines.tsx'
import { RunHistory } from '../history/run-history.tsx'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { NotesSection } from '../ownership/notes-section.tsx'
import { isUnderWay } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import { backToList, MissingTask } from './missing-task.tsx'
import { TaskActions } from './task-actions.tsx'
import { type PageParts, TaskCard } from './task-card.tsx'

const SettingChanges = lazy(async () => ({
  default: (await import('../setting-changes/setting-changes.tsx')).SettingChanges,
}))

/** Page of one task; the id is in the URL. */
export function TaskPage({ parts }: { parts: PageParts }) {
  const id = usePathId()
  const { texts } = useDescriptor()
  return id === null ? <MissingTask title={texts.one} /> : <OneTask key={id} id={id} parts={parts} />
}

function OneTask({ id, parts }: { id: number; parts: PageParts }) {
  const descriptor = useDescriptor()
  const query = useQuery(taskQuery(descriptor, id))
  const client = useQueryClient()
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
        {...(named && { detail: named.detail })}
        back={backToList(descriptor)}
      >
        {task && <PageStar task_id={task.id} name={task.name} />}
        {task && <TaskActions task={task} />}
      </PageHeader>
      {query.isError && <LoadError message={not_found} onRetry={() => query.refetch()} />}
      {query.isPending && <LoadingRows rows={5} label={`Loading the ${one.toLowerCase()}`} />}
      {task && (
        <>
          <TaskCard task={task} parts={parts} />
          <NotesSection
            noted={task}
            calls={{
              save: (edit) => parts.saveNotes(id, edit),
              readFresh: () => client.fetchQuery(taskQuery(descriptor, id)),
              onSaved: () => refetchTask(client, descriptor, id),
            }}
          />
          <LastRuns task={task} />
          <Suspense>{parts.History && <parts.History task={task} />}</Suspense>
          <NewestLines task={task} />
          <RunHistory task={task} />
          <Suspense>
            <SettingChanges
              task_id={id}
              version={task.updated_at}
              revert={async (body) => {
                await descriptor.calls.revert(id, body)
                await refetchTask(client, descriptor, id)
              }}
            />
          </Suspense>
        </>
      )}
    </>
  )
}
