import { Button, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import { limits } from '../../../contract/limits.ts'
import { messages } from '../../../contract/messages.ts'
import type { SyncTask } from '../../../contract/sync-tasks.ts'
import { formatCount } from '../../lib/format.ts'
import { firstTasksQuery, statusQuery, tasksQuery } from '../../tasks/api.ts'
import { BulkBar } from '../../tasks/bulk/bulk-bar.tsx'
import { FailuresBar } from '../../tasks/list/failures-bar.tsx'
import { groupTasks } from '../../tasks/list/groups.ts'
import { StatusTiles } from '../../tasks/list/status-tiles.tsx'
import { useLiveTasks } from '../../tasks/live/use-live-tasks.ts'
import { countStatuses, isUnderWay, watchNeeded } from '../../tasks/state/status.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import { FilterBar } from './components/filter-bar.tsx'
import {
  type Filters,
  filterButStatus,
  filterStatus,
  readFilters,
  writeFilters,
} from './components/filters.ts'
import { TaskList } from './components/task-list.tsx'
import classes from './sync-tasks-screen.module.css'

const FirstTask = lazy(() =>
  import('./components/first-task.tsx').then((module) => ({ default: module.FirstTask })),
)

const HoldUpBanner = lazy(() =>
  import('../../tasks/list/hold-up-banner.tsx').then((module) => ({ default: module.HoldUpBanner })),
)

const TaskDialog = lazy(() =>
  import('./components/task-dialog.tsx').then((module) => ({ default: module.TaskDialog })),
)

const DeleteTaskDialog = lazy(() =>
  import('../../tasks/actions/delete-task-dialog.tsx').then((module) => ({
    default: module.DeleteTaskDialog,
  })),
)

const none: SyncTask[] = []

/** The list of sync tasks: what runs, what failed, and everything that can be done about it. */
export function SyncTasksScreen() {
  const query = useQuery(tasksQuery)
  const first = useQuery(firstTasksQuery).data
  const tasks = query.data ?? first?.syncTasks ?? none
  const { lost } = useLiveTasks()
  const watch = lost ? watchNeeded(tasks) : 'none'
  const poll = watch === 'poll'
  useQuery({ ...tasksQuery, refetchInterval: poll ? limits.full_refresh_ms : false })
  const underWay = useMemo(() => tasks.some(isUnderWay), [tasks])
  const overview = useQuery({ ...statusQuery({ poll }), enabled: watch !== 'none' }).data
  const allRunning = overview?.all_running === true && underWay
  const [params, setParams] = useSearchParams()
  const filters = useMemo(() => readFilters(params), [params])
  const [typed, setTyped] = useState<string | null>(null)
  const change = (part: Partial<Filters>) =>
    setParams((before) => writeFilters({ ...readFilters(before), ...part }), { replace: true })
  const [dialog, setDialog] = useState<
    { kind: 'add'; demo?: number } | { kind: 'edit' | 'delete'; task: SyncTask } | null
  >(null)
  const [chunkSize, setChunkSize] = useState<number>(limits.chunk_size_default)
  const [added, setAdded] = useState<number | null>(null)
  const forgetAdded = useCallback(() => setAdded(null), [])
  const add = useCallback(() => setDialog({ kind: 'add' }), [])
  const close = () => setDialog(null)
  // a dialog that is open keeps what it holds
  useHotkeys(dialog ? [] : [['n', add]])
  const requests = useMemo(
    () => ({
      edit: (task: SyncTask) => setDialog({ kind: 'edit', task }),
      remove: (task: SyncTask) => setDialog({ kind: 'delete', task }),
    }),
    [],
  )

  const wanted = useMemo(() => (typed === null ? filters : { ...filters, search: typed }), [filters, typed])
  const shownFilters = useDeferredValue(wanted)
  const groups = useMemo(() => groupTasks(tasks), [tasks])
  const candidates = useMemo(() => filterButStatus(tasks, shownFilters), [tasks, shownFilters])
  const shown = useMemo(() => filterStatus(candidates, shownFilters.statuses), [candidates, shownFilters])
  const counts = useMemo(() => countStatuses(candidates), [candidates])
  const failures = counts.some(({ status }) => status === 'Failed' || status === 'Error')

  return (
    <>
      <PageHeader
        title="Sync Tasks"
        subtitle={
          query.data
            ? tasks.length > 0 &&
              `${formatCount(tasks.length, 'task')} in ${formatCount(groups.length, 'type')}`
            : first && `Loading ${formatCount(first.total, 'task')}…`
        }
      >
        <BulkBar tasks={query.data} />
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          rightSection={
            <Kbd className="key-hint" aria-hidden>
              n
            </Kbd>
          }
          aria-keyshortcuts="n"
          onClick={add}
        >
          Add task
        </Button>
      </PageHeader>
      {query.isError && (
        <LoadError message={messages.fetch_sync_tasks_failed} onRetry={() => query.refetch()} />
      )}
      {query.isPending && !first && <LoadingRows label="Loading sync tasks" />}
      {query.data?.length === 0 && (
        <Suspense>
          <FirstTask onAdd={add} onDemo={(type_id) => setDialog({ kind: 'add', demo: type_id })} />
        </Suspense>
      )}
      {tasks.length > 0 && (
        <>
          <StatusTiles
            counts={counts}
            chosen={filters.statuses}
            onChoose={(statuses) => change({ statuses })}
          />
          <FilterBar
            filters={filters}
            typed={typed}
            onType={setTyped}
            groups={groups}
            onChange={change}
            onClear={() => setParams({})}
          />
          <FailuresBar
            failures={failures}
            query={writeFilters({ ...filters, statuses: ['Error', 'Failed'] }).toString()}
          />
          {shown.length > 0 ? (
            <TaskList
              tasks={shown}
              whole={groups}
              allRunning={allRunning}
              requests={requests}
              reveal={added}
              onRevealed={forgetAdded}
            />
          ) : (
            <div className={classes.nothing}>
              <EmptyState title={messages.nothing_matches}>
                <Button variant="default" onClick={() => setParams({})}>
                  Clear all filters
                </Button>
              </EmptyState>
            </div>
          )}
          <Suspense>
            <HoldUpBanner holdUp={overview?.hold_up ?? null} />
          </Suspense>
        </>
      )}
      <Suspense>
        {dialog?.kind === 'delete' && <DeleteTaskDialog task={dialog.task} onClose={close} />}
      </Suspense>
      {(dialog?.kind === 'add' || dialog?.kind === 'edit') && (
        <Suspense>
          <TaskDialog
            task={dialog.kind === 'edit' ? dialog.task : null}
            chunkSize={chunkSize}
            {...(dialog.kind === 'add' && dialog.demo !== undefined && { demoType: dialog.demo })}
            onClose={close}
            onSaved={({ id }) => {
              if (dialog.kind === 'add') {
                setChunkSize(limits.chunk_size_after_save)
                setAdded(id)
              }
              close()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
