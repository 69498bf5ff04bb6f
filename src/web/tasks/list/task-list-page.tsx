import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { favouriteMessages } from '../../../contract/favourites/client-messages.ts'
import { limits } from '../../../contract/limits.ts'
import { taskMessages } from '../../../contract/tasks/client-messages.ts'

import { formatCount, formatPart } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { useAddress } from '../../lib/use-address.ts'
import { useServerMinute } from '../../lib/use-server-second.ts'
import { AddButton } from '../../ui/add-button.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { LoadError, LoadingRows, NothingMatches } from '../../ui/states.tsx'
import type { Selection } from '../bulk/bulk-rules.ts'
import { firstTasksQuery, overviewQuery, tasksQuery } from '../cache/list-queries.ts'
import { favouritesQuery } from '../favourites/favourites.ts'
import { useLiveTasks } from '../live/use-live-tasks.ts'
import { SelectAll } from '../select/select-all.tsx'
import { useSelection } from '../select/use-selection.ts'
import { countStatuses, taskStatus, watchNeeded } from '../state/status.ts'
import { useDescriptor } from '../task-descriptor.tsx'
import type { Task } from '../task-model.ts'
import { FailuresBar } from './failures-bar.tsx'
import {
  type Filters,
  filterExceptStatus,
  filterStatus,
  isFiltered,
  readFilters,
  writeFilters,
} from './filters.ts'
import { type Group, groupTasks, groupTasksBy, type TypeGroup } from './groups.ts'
import { useListDisplay } from './list-display.ts'
import { StatusTiles } from './status-tiles.tsx'
import { TaskFilterBar } from './task-filter-bar.tsx'
import { TaskList } from './task-list.tsx'
import classes from './task-list-page.module.css'

const QuotaBacklogBanner = lazy(() =>
  import('./quota-backlog-banner.tsx').then((module) => ({ default: module.QuotaBacklogBanner })),
)

const KeepForecasts = lazy(() =>
  import('../ready-by/late-mark.tsx').then((module) => ({ default: module.KeepForecasts })),
)

const LeavingReport = lazy(() =>
  import('../bulk/leaving-report.tsx').then(({ LeavingReport }) => ({ default: LeavingReport })),
)
const SnoozeTaskDialog = lazy(() =>
  import('../failures/snooze-task-dialog.tsx').then((module) => ({ default: module.SnoozeTaskDialog })),
)

const DeleteTaskDialog = lazy(() =>
  import('../actions/delete-task-dialog.tsx').then((module) => ({
    default: module.DeleteTaskDialog,
  })),
)

const SelectionBar = lazy(() =>
  import('../select/selection-bar.tsx').then((module) => ({ default: module.SelectionBar })),
)

const none: Task[] = []

type Props = {
  /** Actions beside Add, on all tasks or on the filtered tasks; undefined while the tasks are loading. */
  actions: (selection: Selection | undefined) => ReactNode
  /** Content above filters and tasks. */
  top?: ReactNode
  /** Content in place of filters and tasks. */
  instead?: ((groups: readonly TypeGroup[]) => ReactNode) | null
  /** Content below the tasks. */
  foot?: (selection: Selection) => ReactNode
  /** Content if there are no tasks. */
  empty: (onAdd: () => void) => ReactNode
  addDialog: (asked: { onAdded: (id: number) => void; onClose: () => void }) => ReactNode
  /** Opens the dialog to add a task at once. */
  adding?: boolean
}

/** The list of a category's tasks, with filters, actions and dialogs. */
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
  const runsPath = `/runs?category=${descriptor.stream === 'tasks' ? 'sync' : 'source'}`
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
    { kind: 'add' } | { kind: 'edit' | 'duplicate' | 'delete' | 'data' | 'snooze'; task: Task } | null
  >(adding ? { kind: 'add' } : null)
  const [added, setAdded] = useState<number | null>(null)
  const forgetAdded = useCallback(() => setAdded(null), [])
  const add = useCallback(() => setDialog({ kind: 'add' }), [])
  const close = () => setDialog(null)
  const onAdded = (id: number) => {
    setAdded(id)
    close()
  }
  const requests = useMemo(
    () => ({
      edit: (task: Task) => setDialog({ kind: 'edit', task }),
      duplicate: (task: Task) => setDialog({ kind: 'duplicate', task }),
      remove: (task: Task) => setDialog({ kind: 'delete', task }),
      snooze: (task: Task) => setDialog({ kind: 'snooze', task }),
      showData: (task: Task) => setDialog({ kind: 'data', task }),
    }),
    [],
  )

  const wanted = useMemo(() => (typed === null ? filters : { ...filters, search: typed }), [filters, typed])
  const shownFilters = useDeferredValue(wanted)
  const [display] = useListDisplay()
  const types = useMemo(() => groupTasks(descriptor, tasks), [descriptor, tasks])
  const whole = useMemo(
    (): readonly Group[] => groupTasksBy(descriptor, tasks, display.group),
    [descriptor, tasks, display.group],
  )
  const now = useServerMinute()
  const own_id = useSession()?.user?.id ?? null
  const favourites = useQuery(favouritesQuery)
  const within = useMemo(
    () => (shownFilters.favourites ? tasks.filter(({ id }) => favourites.data?.has(id)) : tasks),
    [tasks, shownFilters, favourites.data],
  )
  const candidates = useMemo(
    () => filterExceptStatus(descriptor, within, shownFilters, now, own_id),
    [descriptor, within, shownFilters, now, own_id],
  )
  const shown = useMemo(
    () => filterStatus(descriptor, candidates, shownFilters.statuses),
    [descriptor, candidates, shownFilters],
  )
  const counts = useMemo(() => {
    const counted = countStatuses(descriptor, candidates.map(descriptor.statusOf))
    return new Map(counted.map(({ status, count }) => [status.name, count]))
  }, [descriptor, candidates])
  const selection = useMemo(
    () => (isFiltered(shownFilters) ? { tasks: shown, filtered: true } : { tasks, filtered: false }),
    [shownFilters, shown, tasks],
  )
  const typesShown = useMemo(
    () => groupTasks(descriptor, instead ? tasks : shown).filter(({ type }) => type.id !== null).length,
    [descriptor, instead, tasks, shown],
  )
  const order = useMemo(
    () => [
      ...new Set(
        groupTasksBy(descriptor, shown, display.group).flatMap(({ tasks: some }) => some.map(({ id }) => id)),
      ),
    ],
    [descriptor, shown, display.group],
  )
  const selected = useSelection(order)
  const selectedTasks = useMemo(
    () => (selected.ids.size === 0 ? none : tasks.filter(({ id }) => selected.ids.has(id))),
    [selected.ids, tasks],
  )
  const selectedShown = useMemo(
    () => (selected.ids.size === 0 ? 0 : order.filter((id) => selected.ids.has(id)).length),
    [selected.ids, order],
  )
  const failing = statuses.filter(({ is_failure }) => is_failure).map(({ name }) => name)

  return (
    <>
      <PageHeader
        title={texts.many}
        subtitle={
          query.data
            ? tasks.length > 0 && (
                <>
                  {formatPart(instead ? tasks.length : shown.length, tasks.length, 'task')} in{' '}
                  {formatCount(typesShown, 'type')} ·{' '}
                  <Link to={runsPath} className={classes.runs}>
                    {taskMessages.all_runs}
                  </Link>
                </>
              )
            : first
              ? `Loading ${formatCount(first.total, 'task')}…`
              : query.isPending && '\u00a0'
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
      {tasks.length > 0 && instead?.(types)}
      {tasks.length > 0 && !instead && (
        <>
          <StatusTiles
            counts={counts}
            chosen={filters.statuses}
            onChoose={(statuses) => change({ statuses })}
          />
          <TaskFilterBar
            filters={filters}
            typed={typed}
            onType={setTyped}
            groups={types}
            tasks={tasks}
            onChange={change}
            onClear={() => changeAddress(() => new URLSearchParams())}
            onView={(view) => {
              setTyped(null)
              changeAddress(() => new URLSearchParams(view))
            }}
          />
          <div data-roving>
            <FailuresBar
              failures={tasks.some((task) => taskStatus(descriptor, task).is_failure)}
              query={new URLSearchParams(failing.map((name) => ['status', name])).toString()}
            />
            {shown.length > 0 && (
              <SelectAll
                tasks={shown}
                filtered={isFiltered(shownFilters)}
                complete={query.data !== undefined}
                selected={selected.ids}
                onSelect={selected.selectTasks}
              />
            )}
          </div>
          {shown.length > 0 ? (
            <TaskList
              selected={selected.ids}
              onSelectTask={selected.selectTask}
              onSelectTasks={selected.selectTasks}
              tasks={shown}
              whole={whole}
              display={display}
              requests={requests}
              reveal={added}
              onRevealed={forgetAdded}
            />
          ) : filters.favourites && favourites.isError ? (
            <LoadError message={favouriteMessages.load_failed} onRetry={() => favourites.refetch()} />
          ) : filters.favourites && favourites.isPending ? (
            <LoadingRows label={favouriteMessages.loading} />
          ) : (
            <div className={classes.nothing}>
              <NothingMatches
                title={taskMessages.nothing_matches}
                {...(filters.favourites && within.length === 0 && { hint: favouriteMessages.none_hint })}
                onClear={() => changeAddress(() => new URLSearchParams())}
              />
            </div>
          )}
          <Suspense>
            {selectedTasks.length > 0 && (
              <SelectionBar
                selected={selectedTasks}
                hidden={selectedTasks.length - selectedShown}
                matching={shown.length}
                filtered={isFiltered(shownFilters)}
                complete={selectedShown === shown.length}
                onSelectAll={() => selected.selectTasks(order, true)}
                onClear={selected.clear}
              />
            )}
          </Suspense>
          {foot?.(selection)}
          <Suspense>
            <QuotaBacklogBanner backlog={overview?.quota_backlog ?? null} />
            <KeepForecasts />
          </Suspense>
        </>
      )}
      <Suspense>
        <LeavingReport />
      </Suspense>
      <Suspense>
        {dialog?.kind === 'delete' && <DeleteTaskDialog task={dialog.task} onClose={close} />}
        {dialog?.kind === 'snooze' && <SnoozeTaskDialog task={dialog.task} onClose={close} />}
        {dialog?.kind === 'edit' && <descriptor.EditDialog task={dialog.task} onClose={close} />}
        {dialog?.kind === 'duplicate' && (
          <descriptor.DuplicateDialog task={dialog.task} onAdded={onAdded} onClose={close} />
        )}
        {dialog?.kind === 'data' && descriptor.DataDialog && (
          <descriptor.DataDialog task={dialog.task} onClose={close} />
        )}
        {dialog?.kind === 'add' && addDialog({ onAdded, onClose: close })}
      </Suspense>
    </>
  )
}
