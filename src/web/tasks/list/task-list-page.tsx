import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { formatCount, formatPart } from '../../lib/format.ts'
import { useAddress } from '../../lib/use-address.ts'
import { useServerMinute } from '../../lib/use-server-second.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../ui/states.tsx'
import type { Selection } from '../bulk/bulk-rules.ts'
import { firstTasksQuery, overviewQuery, tasksQuery } from '../cache/list-queries.ts'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { countStatuses, taskStatus, watchNeeded } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { FailuresBar } from './failures-bar.tsx'
import { FilterBar } from './filter-bar.tsx'
import {
  type Filters,
  filterButStatus,
  filterStatus,
  isFiltered,
  readFilters,
  writeFilters,
} from './filters.ts'
import { type Group, groupTasks } from './groups.ts'
import { StatusTiles } from './status-tiles.tsx'
import { TaskList } from './task-list.tsx'
import classes from './task-list-page.module.css'

const QuotaBacklogBanner = lazy(() =>
  import('./quota-backlog-banner.tsx').then((module) => ({ default: module.QuotaBacklogBanner })),
)

const DeleteTaskDialog = lazy(() =>
  import('../actions/delete-task-dialog.tsx').then((module) => ({
    default: module.DeleteTaskDialog,
  })),
)

const none: Task[] = []

type Props = {
  /** What can be done beside adding a task: to all tasks, or to those that the filters show; undefined until the tasks are there. */
  actions: (selection: Selection | undefined) => ReactNode
  /** Above filters and tasks. */
  top?: ReactNode
  /** In place of filters and tasks. */
  instead?: ((groups: readonly Group[]) => ReactNode) | null
  /** Below the tasks. */
  foot?: (selection: Selection) => ReactNode
  /** What stands there while there are no tasks. */
  empty: (onAdd: () => void) => ReactNode
  addDialog: (asked: { onAdded: (id: number) => void; onClose: () => void }) => ReactNode
  /** It opens with that dialog. */
  adding?: boolean
}

/** The list of a category's tasks: what runs, what failed, and everything that can be done about it. */
export function TaskListPage({
  actions,
  top,
  instead = null,
  foot,
  empty,
  addDialog,
  adding = false,
}: Props) {
  const descriptor = useDescriptor()
  const { texts, statuses } = descriptor
  const query = useQuery(tasksQuery(descriptor))
  const first = useQuery(firstTasksQuery(descriptor)).data
  const tasks = query.data ?? first?.tasks ?? none
  const { lost } = useLiveTasks()
  const watch = lost ? watchNeeded(descriptor, tasks) : 'none'
  const poll = watch === 'poll'
  useQuery({ ...tasksQuery(descriptor), refetchInterval: poll ? limits.full_refresh_ms : false })
  const overview = useQuery({ ...overviewQuery(descriptor, { poll }), enabled: watch !== 'none' }).data
  const [params, changeAddress] = useAddress()
  const filters = useMemo(() => readFilters(descriptor, params), [descriptor, params])
  const [typed, setTyped] = useState<string | null>(null)
  const change = (part: Partial<Filters>) =>
    changeAddress((before) => writeFilters({ ...readFilters(descriptor, before), ...part }))
  const [dialog, setDialog] = useState<
    { kind: 'add' } | { kind: 'edit' | 'delete' | 'data'; task: Task } | null
  >(adding ? { kind: 'add' } : null)
  const [added, setAdded] = useState<number | null>(null)
  const forgetAdded = useCallback(() => setAdded(null), [])
  const add = useCallback(() => setDialog({ kind: 'add' }), [])
  const close = () => setDialog(null)
  const requests = useMemo(
    () => ({
      edit: (task: Task) => setDialog({ kind: 'edit', task }),
      remove: (task: Task) => setDialog({ kind: 'delete', task }),
      showData: (task: Task) => setDialog({ kind: 'data', task }),
    }),
    [],
  )

  const wanted = useMemo(() => (typed === null ? filters : { ...filters, search: typed }), [filters, typed])
  const shownFilters = useDeferredValue(wanted)
  const groups = useMemo(() => groupTasks(descriptor, tasks), [descriptor, tasks])
  const now = useServerMinute()
  const candidates = useMemo(
    () => filterButStatus(descriptor, tasks, shownFilters, now),
    [descriptor, tasks, shownFilters, now],
  )
  const shown = useMemo(
    () => filterStatus(descriptor, candidates, shownFilters.statuses),
    [descriptor, candidates, shownFilters],
  )
  const counts = useMemo(() => {
    const counted = countStatuses(descriptor, candidates.map(descriptor.statusOf))
    return new Map(counted.map(({ status, count }) => [status.word, count]))
  }, [descriptor, candidates])
  const selection = useMemo(
    () => (isFiltered(shownFilters) ? { tasks: shown, filtered: true } : { tasks, filtered: false }),
    [shownFilters, shown, tasks],
  )
  const typesShown = useMemo(
    () => groupTasks(descriptor, instead ? tasks : shown).filter(({ id }) => id !== null).length,
    [descriptor, instead, tasks, shown],
  )
  const failing = statuses.filter(({ is_failure }) => is_failure).map(({ word }) => word)

  return (
    <>
      <PageHeader
        title={texts.many}
        subtitle={
          query.data
            ? tasks.length > 0 &&
              `${formatPart(instead ? tasks.length : shown.length, tasks.length, 'task')} in ${formatCount(typesShown, 'type')}`
            : first && `Loading ${formatCount(first.total, 'task')}…`
        }
      >
        {actions(query.data && selection)}
        <AddButton blocked={dialog !== null} onAdd={add}>
          {texts.add}
        </AddButton>
      </PageHeader>
      {top}
      {query.isError && <LoadError message={texts.fetch_list_failed} onRetry={() => query.refetch()} />}
      {query.isPending && !first && <LoadingRows label={`Loading ${texts.many.toLowerCase()}`} />}
      {query.data?.length === 0 && <Suspense>{empty(add)}</Suspense>}
      {tasks.length > 0 && instead?.(groups)}
      {tasks.length > 0 && !instead && (
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
            onClear={() => changeAddress(() => new URLSearchParams())}
          />
          <FailuresBar
            failures={tasks.some((task) => taskStatus(descriptor, task).is_failure)}
            query={new URLSearchParams(failing.map((word) => ['status', word])).toString()}
          />
          {shown.length > 0 ? (
            <TaskList
              tasks={shown}
              whole={groups}
              requests={requests}
              reveal={added}
              onRevealed={forgetAdded}
            />
          ) : (
            <div className={classes.nothing}>
              <EmptyState title={taskMessages.nothing_matches}>
                <Button variant="default" onClick={() => changeAddress(() => new URLSearchParams())}>
                  Clear all filters
                </Button>
              </EmptyState>
            </div>
          )}
          {foot?.(selection)}
          <Suspense>
            <QuotaBacklogBanner backlog={overview?.hold_up ?? null} />
          </Suspense>
        </>
      )}
      <Suspense>
        {dialog?.kind === 'delete' && <DeleteTaskDialog task={dialog.task} onClose={close} />}
        {dialog?.kind === 'edit' && <descriptor.EditDialog task={dialog.task} onClose={close} />}
        {dialog?.kind === 'data' && descriptor.DataDialog && (
          <descriptor.DataDialog task={dialog.task} onClose={close} />
        )}
        {dialog?.kind === 'add' &&
          addDialog({
            onAdded: (id) => {
              setAdded(id)
              close()
            },
            onClose: close,
          })}
      </Suspense>
    </>
  )
}
