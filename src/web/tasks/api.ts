import { infiniteQueryOptions, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { limits } from '../../contract/limits.ts'
import { messages } from '../../contract/messages.ts'
import { runs } from '../../contract/runs.ts'
import { type SyncTask, type SyncTaskDetail, syncTasks } from '../../contract/sync-tasks.ts'
import type { HoldUp, WaitingLine } from '../../contract/waits.ts'
import { CallError, call } from '../lib/call.ts'
import { endedSince, mergeEntry, mergeStates, mergeWaits, type State, statesOfLines } from './live/merge.ts'
import { StreamOverlay } from './live/stream-overlay.ts'

/** Keys of everything that this feature reads: the call's path, and what it asks for. */
export const keys = {
  list: [syncTasks.list.path] as const,
  firstPage: [syncTasks.list.path, 1] as const,
  status: [syncTasks.statusAll.path] as const,
  task: (id: number) => [syncTasks.get.path, id] as const,
  logs: (id: number) => [syncTasks.logs.path, id] as const,
  runs: (id: number) => [runs.ofSyncTask.path, id] as const,
  readiness: (id: number) => [syncTasks.checkReadiness.path, id] as const,
  columns: (id: number) => [syncTasks.dataColumns.path, id] as const,
  data: (id: number) => [syncTasks.dataCopy.path, id] as const,
}

/** What the event stream told, in the page's own time. */
export const streamOverlay = new StreamOverlay()

const listPage = (page: number, signal: AbortSignal) =>
  call(syncTasks.list, { query: { page, limit: limits.tasks_page_size }, signal })

/** The first tasks, and how many there are in all: what a long list shows until the rest of it has come. Read with tasksQuery. */
export const firstTasksQuery = queryOptions<Awaited<ReturnType<typeof listPage>>>({
  queryKey: keys.firstPage,
  queryFn: skipToken,
})

async function loadAll(client: QueryClient, signal: AbortSignal): Promise<SyncTask[]> {
  const asked = performance.now()
  const first = await listPage(1, signal)
  client.setQueryData(keys.firstPage, first)
  const others = await Promise.all(
    Array.from({ length: first.totalPages - 1 }, (_, n) => listPage(n + 2, signal)),
  )
  const tasks = [first, ...others].flatMap(({ syncTasks }) => syncTasks)
  // one that moves meanwhile may be on two pages
  const once = new Map(tasks.map((task) => [task.id, task]))
  const newest = mergeStates([...once.values()], streamOverlay.statesSince(asked))
  return mergeWaits(newest, streamOverlay.waitsSince(asked))
}

/** All sync tasks: every page, so that no group is split. */
export const tasksQuery = queryOptions({
  queryKey: keys.list,
  queryFn: ({ client, signal }) => loadAll(client, signal),
  // comparing ten thousand tasks field by field takes longer than drawing the few in sight
  structuralSharing: false,
  meta: { failure: messages.fetch_sync_tasks_failed },
})

/** What holds for all tasks together: whether a Run All is unfinished, and what a quota holds up. */
export type Overview = { all_running: boolean; hold_up: HoldUp | null }

/** Statuses and the overview. The event stream tells of every change; `poll`: there is none, so they are asked for. */
export const statusQuery = ({ poll }: { poll: boolean }) =>
  queryOptions<Overview>({
    queryKey: keys.status,
    queryFn: async ({ signal, client }) => {
      const asked = performance.now()
      const { tasks, all_running_status, hold_up } = await call(syncTasks.statusAll, { signal })
      const ended = endedSince(client.getQueryData<SyncTask[]>(keys.list) ?? [], tasks)
      patchStates(client, [...tasks, ...streamOverlay.statesSince(asked)])
      await refetchEnded(client, ended)
      return { all_running: all_running_status, hold_up }
    },
    refetchInterval: poll ? limits.status_poll_ms : false,
    meta: { failure: messages.fetch_running_status_failed },
  })

// More of them are read faster as a list.
const ended_singly = 10

async function refetchEnded(client: QueryClient, ids: readonly number[]): Promise<void> {
  if (ids.length > ended_singly) return client.invalidateQueries({ queryKey: keys.list })
  await Promise.all(ids.map((id) => refreshTask(client, id)))
}

/** Whether there is no task of that number. */
export const isMissing = (error: unknown) => error instanceof CallError && error.status === 404

// that there is no such task is what the page says then
const unlessMissing = (failure: string) => (error: unknown) => (isMissing(error) ? null : failure)

/** One task with its newest log lines and the receipt of its last run. */
export const taskQuery = (id: number) =>
  queryOptions({
    queryKey: keys.task(id),
    queryFn: async ({ signal, client }) => {
      const asked = performance.now()
      const task = await call(syncTasks.get, { params: { id }, signal })
      const state = streamOverlay.statesSince(asked).find((one) => one.id === id)
      if (client.getQueryData<SyncTaskDetail>(keys.task(id))?.task_status !== task.task_status)
        void client.invalidateQueries({ queryKey: keys.runs(id) })
      return { ...task, ...state, logs: streamOverlay.linesSince(id, asked).reduce(mergeEntry, task.logs) }
    },
    // states that are put in make it look newer than its receipt and its log are
    staleTime: 0,
    meta: { failure: unlessMissing(messages.fetch_sync_task_failed) },
  })

/** The log of a task, newest first; as many lines as the server keeps. */
export const logsQuery = (id: number) =>
  queryOptions({
    queryKey: keys.logs(id),
    queryFn: async ({ signal }) => {
      const asked = performance.now()
      const entries = await call(syncTasks.logs, {
        params: { id },
        query: { limit: limits.logs_max },
        signal,
      })
      return streamOverlay.linesSince(id, asked).reduce(mergeEntry, entries)
    },
    meta: { failure: unlessMissing(messages.fetch_logs_failed) },
  })

/** Runs of a task, newest first; each page names the next one. */
export const runsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: keys.runs(id),
    queryFn: ({ pageParam, signal }) =>
      call(runs.ofSyncTask, {
        params: { id },
        query: pageParam === null ? {} : { cursor: pageParam },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    meta: { failure: messages.fetch_runs_failed },
  })

/** Whether the source of a task can be read; asked only when a person wants to know. */
export const readinessQuery = (id: number) =>
  queryOptions({
    queryKey: keys.readiness(id),
    queryFn: ({ signal }) => call(syncTasks.checkReadiness, { params: { id }, signal }),
    retry: false,
    // a verdict stays while its row is out of sight
    gcTime: Number.POSITIVE_INFINITY,
  })

/** Columns of the copied data. */
export const columnsQuery = (id: number) =>
  queryOptions({
    queryKey: keys.columns(id),
    queryFn: ({ signal }) => call(syncTasks.dataColumns, { params: { id }, signal }),
    meta: { failure: unlessMissing(messages.columns_failed), prefer_error: true },
  })

/** A version of a task's copied data. */
export type Copy = { id: number; version: number | null }

/** Which rows of the copied data: all by row number, or sorted by a column. */
export type TableView = { columns: string[]; sort: string | null; order: 'asc' | 'desc' }

/** A page of the copied data; 500 rows, the last one fewer. */
export const dataQuery = ({ id, version }: Copy, view: TableView, offset: number) =>
  queryOptions({
    queryKey: [...keys.data(id), version, view, offset] as const,
    queryFn: async ({ signal, client }) => {
      const { columns, sort, order } = view
      const query = { offset, limit: limits.data_page_size, order, columns }
      const reply = await call(syncTasks.dataCopy, {
        params: { id },
        query: sort === null ? query : { ...query, sort },
        signal,
      })
      // a run that has ended meanwhile copied anew: everything is read again, pages of two copies do not belong together
      if (reply.version !== version) await client.invalidateQueries({ queryKey: keys.columns(id) })
      return reply.data
    },
    // a version never changes
    staleTime: Number.POSITIVE_INFINITY,
    meta: { failure: messages.data_failed, prefer_error: true },
  })

/** Forgets pages of copied data that are out of sight, all but those read last: a million rows would fill the memory. */
export function forgetOldPages(client: QueryClient, id: number): void {
  const pages = client.getQueryCache().findAll({ queryKey: keys.data(id), type: 'inactive' })
  const newest_first = pages.sort((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
  for (const page of newest_first.slice(limits.data_pages_kept)) client.getQueryCache().remove(page)
}

/** Puts newer states into every place that shows them, without asking the server. */
export function patchStates(client: QueryClient, states: readonly State[]): void {
  client.setQueryData<SyncTask[]>(keys.list, (tasks) => tasks && mergeStates(tasks, states))
  for (const state of states)
    client.setQueryData<SyncTaskDetail>(keys.task(state.id), (task) => task && { ...task, ...state })
}

/** Puts what queued tasks wait for into every place that shows it. */
export function putWaits(client: QueryClient, lines: readonly WaitingLine[]): void {
  streamOverlay.waits(lines, performance.now())
  const waits = statesOfLines(lines)
  client.setQueryData<SyncTask[]>(keys.list, (tasks) => tasks && mergeWaits(tasks, waits))
  for (const wait of waits)
    client.setQueryData<SyncTaskDetail>(keys.task(wait.id), (task) =>
      task?.task_status === 'Queued' ? { ...task, ...wait } : undefined,
    )
}

/** Puts tasks as they are now into every place that shows them. */
export function putTasks(client: QueryClient, tasks: readonly SyncTask[]): void {
  streamOverlay.states(tasks, performance.now())
  patchStates(client, tasks)
}

/** Puts a changed part of the overview in. */
export function putOverview(client: QueryClient, change: Partial<Overview>): void {
  const nothing = { all_running: false, hold_up: null }
  client.setQueryData<Overview>(keys.status, (before) => ({ ...nothing, ...before, ...change }))
}

/** Marks what was read of these tasks as out of date; what is in sight is read again. */
export function invalidateOf(
  client: QueryClient,
  tasks: readonly { id: number }[],
  kinds: readonly ((id: number) => readonly [string, number])[],
): void {
  if (tasks.length === 0) return
  const wanted = new Set(tasks.flatMap(({ id }) => kinds.map((key) => key(id).join())))
  void client.invalidateQueries({ predicate: ({ queryKey }) => wanted.has(queryKey.slice(0, 2).join()) })
}

/** Puts a changed field into every place that shows the task. */
export function putTask(client: QueryClient, id: number, change: Partial<SyncTask>): void {
  client.setQueryData<SyncTask[]>(keys.list, (tasks) =>
    tasks?.map((task) => (task.id === id ? { ...task, ...change } : task)),
  )
  client.setQueryData<SyncTaskDetail>(keys.task(id), (task) => task && { ...task, ...change })
}

/** Reads one task again and shows it everywhere. */
export async function refreshTask(client: QueryClient, id: number): Promise<void> {
  const { logs: _logs, receipt: _receipt, ...task } = await client.fetchQuery(taskQuery(id))
  putTask(client, id, task)
}
